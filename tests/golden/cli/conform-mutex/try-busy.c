// expect: conforms
// precision: trying fails with EBUSY, and with nothing else
// contract: counter.contract
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  while (pthread_mutex_trylock(&lock) == EBUSY)
    ;
  busy++;
  pthread_mutex_unlock(&lock);
}
