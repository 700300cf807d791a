// expect: violates, return
// soundness: the function may end before its step
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;
int measure(int channel);

void worker(void) {
  if (measure(1) > 0)
    return;
  atomic_fetch_add(&x, 1);
}
