// expect: unknown, line 10, this operation on 'lock'
// soundness: a mutex is not made anew by a thread
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) {
  pthread_mutex_init(&lock, 0);
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}
