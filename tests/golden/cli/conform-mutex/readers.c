// expect: unknown, line 10, is a mutex in the contract
// soundness: several threads have a lock for reading
// contract: counter.contract
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int busy;

void worker(void) {
  pthread_rwlock_rdlock(&lock);
  busy++;
  pthread_rwlock_unlock(&lock);
}
