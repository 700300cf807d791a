// expect: unknown, line 15, locks in an atomic section
// soundness: a section that may wait
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void worker(void) {
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&lock);
  atomic_fetch_add(&x, 1);
  __VERIFIER_atomic_end();
}
