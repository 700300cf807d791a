// expect: violates, guard
// soundness: trying may fail
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_trylock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}
