// expect: violates, line 9, guard
// soundness: a write without the lock
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void worker(void) {
  x = x + 1;
}
