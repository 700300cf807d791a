// expect: conforms
// precision: abort and exit end the run and are no error; pthread_exit is a return
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
int measure(int channel);

void worker(void) {
  int value = measure(1);
  if (value == 1)
    abort();
  if (value == 2)
    exit(1);
  atomic_fetch_add(&x, 1);
  if (value == 3)
    pthread_exit(0);
}
