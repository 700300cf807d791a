// expect: conforms
// precision: trying may fail, and then nothing is done
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  while (pthread_mutex_trylock(&lock))
    ;
  atomic_fetch_add(&x, 1);
  pthread_mutex_unlock(&lock);
}
