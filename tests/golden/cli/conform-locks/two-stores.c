// expect: unknown, line 11, a lock that the contract does not name
// soundness: a violation while a lock is held may need what others cannot do then
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
