// expect: conforms
// precision: a spinlock is a mutex
// contract: counter.contract
#include <pthread.h>

pthread_spinlock_t lock;
int busy;

void worker(void) {
  pthread_spin_lock(&lock);
  busy++;
  pthread_spin_unlock(&lock);
}
