// expect: violates, line 12, guard
// soundness: the lock is given back before the store
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_lock(&lock);
  int seen = busy;
  pthread_mutex_unlock(&lock);
  busy = seen + 1;
}
