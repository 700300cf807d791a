// expect: unknown, line 12, is passed to
// soundness: a function without body may release it
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;
void helper(pthread_mutex_t *which);

void worker(void) {
  pthread_mutex_lock(&lock);
  helper(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}
