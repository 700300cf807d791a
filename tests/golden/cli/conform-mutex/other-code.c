// expect: conforms
// precision: what else uses the mutex is listed
// contract: counter.contract
// listed: tidy (tests/golden/cli/conform-mutex/other-code.c:18) uses lock but does not run concurrently with the system
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}

void tidy(void) {
  // Nobody calls this.
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
