// expect: unknown, line 13, it is not known which one
// soundness: the mutex may be another one
// contract: counter.contract
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
volatile int which;


void worker(void) {
  pthread_mutex_lock(which ? &lock : &other);
  busy++;
  pthread_mutex_unlock(which ? &lock : &other);
}
