// expect: conforms
// precision: the mutex is known through a parameter, too
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

static void take(pthread_mutex_t *which) { pthread_mutex_lock(which); }

void worker(void) {
  pthread_mutex_t *mine = &lock;
  take(mine);
  busy++;
  pthread_mutex_unlock(mine);
}
