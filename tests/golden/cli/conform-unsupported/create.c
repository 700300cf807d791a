// expect: unknown, line 13, pthread_create
// soundness: a thread that nobody looks at
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *helper(void *argument) { return argument; }

void worker(void) {
  pthread_t other;
  pthread_create(&other, 0, helper, 0);
  atomic_fetch_add(&x, 1);
}
