// expect: conforms
// precision: mutexes of threads.h
// contract: counter.contract
#include <threads.h>

mtx_t lock;
int busy;

void worker(void) {
  while (mtx_trylock(&lock) != thrd_success)
    ;
  busy++;
  mtx_unlock(&lock);
}
