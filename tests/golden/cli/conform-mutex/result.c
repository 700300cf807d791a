// expect: conforms
// precision: taking a mutex of the contract does not fail
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  if (pthread_mutex_lock(&lock) != 0)
    return;
  busy++;
  pthread_mutex_unlock(&lock);
}
