// expect: unknown, line 15, pthread_mutex_lock
// soundness: one thread cannot be decided, and so the whole is not proved
// command: check
// contract: spoiled.contract
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void worker(void) {
  x = 1;
  assert(x == 1);
}
void spoiler(void) { pthread_mutex_lock(&lock); x = 2; }
