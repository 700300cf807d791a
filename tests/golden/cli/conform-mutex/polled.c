// expect: safe
// precision: what is written under a mutex stays while it is held
// command: check
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int alive = 1;

void reader(void) {
  pthread_mutex_lock(&lock);
  int first = alive;
  int second = alive;
  assert(first == second);
  pthread_mutex_unlock(&lock);
}

void writer(void) {
  pthread_mutex_lock(&lock);
  alive++;
  pthread_mutex_unlock(&lock);
}
