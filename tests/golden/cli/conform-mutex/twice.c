// expect: violates, line 12, lock
// soundness: a mutex is not taken twice
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
