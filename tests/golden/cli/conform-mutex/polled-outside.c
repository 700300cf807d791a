// expect: violates, line 15, assertion
// soundness: what is written under a mutex changes when it is released
// contract: polled.contract
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int alive = 1;

void reader(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  int first = alive;
  int second = alive;
  assert(first == second);
}

void writer(void) {
  pthread_mutex_lock(&lock);
  alive++;
  pthread_mutex_unlock(&lock);
}
