// expect: unknown, line 11, a lock that the contract does not name
// soundness: whether taking a lock can fail is not known
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  if (pthread_mutex_lock(&lock) != 0)
    return;
  atomic_fetch_add(&x, 1);
  pthread_mutex_unlock(&lock);
}
