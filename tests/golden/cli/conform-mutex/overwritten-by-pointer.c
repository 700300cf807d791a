// expect: unknown, line 12, memory that may hold 'lock', a lock of the contract, is written to
// soundness: the address of the mutex lies in memory, and a store through it frees the mutex
// contract: counter.contract
#include <pthread.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *known = &lock;
int busy;

void worker(void) {
  memset(known, 0, sizeof *known);
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}
