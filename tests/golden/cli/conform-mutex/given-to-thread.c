// expect: unknown, line 11, memory that may hold 'lock', a lock of the contract, is written to
// soundness: whoever starts the thread gives it the address of the mutex
// contract: counter.contract
#include <pthread.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void *worker(void *argument) {
  memset(argument, 0, 4);
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  return pthread_create(&thread, 0, worker, &lock);
}
