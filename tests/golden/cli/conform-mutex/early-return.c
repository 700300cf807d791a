// expect: violates, lock
// soundness: an error path keeps the mutex
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_lock(&lock);
  if (busy > 100)
    return;
  busy++;
  pthread_mutex_unlock(&lock);
}
