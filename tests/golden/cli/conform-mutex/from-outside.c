// expect: conforms
// precision: a lock that is not named, behind a pointer
// contract: counter.contract
// listed: locks behind pointers from outside are none of: lock
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(pthread_mutex_t *mine) {
  pthread_mutex_lock(mine);
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(mine);
}
