// expect: violates, line 10, lock
// soundness: only its holder releases a mutex
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_unlock(&lock);
}
