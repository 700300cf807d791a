// expect: violates, line 13, step
// soundness: a lock that the contract does not name does not make one step of two
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  pthread_mutex_lock(&lock);
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  pthread_mutex_unlock(&lock);
}
