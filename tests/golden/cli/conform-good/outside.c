// expect: conforms
// precision: registers, missing functions and memory without a name are any value
// contract: counter.contract
#include <stdatomic.h>
#include <stdio.h>

atomic_int x;
int unnamed;
int measure(int channel);

void worker(void) {
  int status = *(volatile int *)0x40001000;
  unnamed = measure(status);
  if (unnamed > 3)
    printf("high: %d\n", unnamed);
  atomic_fetch_add(&x, 1);
}
