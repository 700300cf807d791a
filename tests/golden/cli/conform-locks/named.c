// expect: violates, line 11, step
// soundness: a lock that the contract names is an action, and this contract has none
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
