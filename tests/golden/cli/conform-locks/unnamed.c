// expect: conforms
// precision: a lock that the contract does not name is local
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  pthread_mutex_lock(&lock);
  atomic_fetch_add(&x, 1);
  pthread_mutex_unlock(&lock);
}
