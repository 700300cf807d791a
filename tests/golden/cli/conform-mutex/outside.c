// expect: violates, line 11, guard
// soundness: a store without the lock
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  int seen = busy;
  busy = seen + 1;
}
