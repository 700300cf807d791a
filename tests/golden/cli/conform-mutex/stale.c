// expect: violates, line 14, step
// soundness: what was read before is old
// contract: stale.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_lock(&lock);
  int seen = busy;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  busy = seen + 1;
  pthread_mutex_unlock(&lock);
}
