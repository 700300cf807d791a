// expect: violates, line 16, assertion
// soundness: a wait ends without a reason, or somebody was faster
// contract: queue.contract
// command: conform
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int items;

void consumer(void) {
  pthread_mutex_lock(&lock);
  if (items == 0)
    pthread_cond_wait(&filled, &lock);
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&lock);
}

void producer(void) {
  pthread_mutex_lock(&lock);
  items++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}
