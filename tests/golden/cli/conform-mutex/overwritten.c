// expect: unknown, line 11, is written to
// soundness: a mutex is changed by the thread library only
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}
