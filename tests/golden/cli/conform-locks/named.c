// expect: unknown, line 11, locks that a contract names
// soundness: the lock is in the contract
// contract: named.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  pthread_mutex_lock(&lock);
  atomic_fetch_add(&x, 1);
  pthread_mutex_unlock(&lock);
}
