// expect: violates, line 11, guard
// soundness: a store without the mutex is a violation, whatever it stores
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  int seen = busy;
  busy = seen;
}
