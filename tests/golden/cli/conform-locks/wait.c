// expect: conforms
// precision: so is a condition variable
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t go = PTHREAD_COND_INITIALIZER;

void worker(void) {
  pthread_cond_wait(&go, &lock);
  atomic_fetch_add(&x, 1);
}
