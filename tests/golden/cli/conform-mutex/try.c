// expect: conforms
// precision: trying may fail, and is tried again
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  while (pthread_mutex_trylock(&lock) != 0)
    ;
  busy++;
  pthread_mutex_unlock(&lock);
}
