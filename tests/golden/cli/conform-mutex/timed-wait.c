// expect: unknown, line 13, it may end without a signal
// soundness: a wait with a time limit ends although nobody signals
// contract: flag.contract
// options: --spurious off
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int f;
struct timespec until;
void *Waiter(void *argument) {
  pthread_mutex_lock(&m);
  if (!f) pthread_cond_timedwait(&c, &m, &until);
  assert(f);
  pthread_mutex_unlock(&m);
  return 0;
}
void *Setter(void *argument) {
  pthread_mutex_lock(&m);
  f = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
