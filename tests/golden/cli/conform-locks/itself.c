// expect: unknown, line 12, code that stands for itself
// soundness: exclusion is not forgotten where it matters
// contract: itself.contract
// command: check
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  pthread_mutex_lock(&lock);
  atomic_fetch_add(&x, 1);
  pthread_mutex_unlock(&lock);
}
