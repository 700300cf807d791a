// expect: violates, line 13, guard
// soundness: the mutex is given back before the store
// contract: stale.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_lock(&lock);
  int seen = busy;
  pthread_mutex_unlock(&lock);
  busy = seen + 1;
}
