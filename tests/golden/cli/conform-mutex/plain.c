// expect: conforms
// precision: a plain increment is one step of the contract under the lock
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}
