// expect: unknown, line 11, uses memory that may hold
// soundness: the lock is where a named variable is
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  pthread_mutex_lock((pthread_mutex_t *)&x);
  atomic_fetch_add(&x, 1);
}
