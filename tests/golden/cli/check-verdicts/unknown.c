// expect: unknown, line 15, sem_wait
// soundness: one thread cannot be decided, and so the whole is not proved
// command: check
// contract: spoiled.contract
#include <assert.h>
#include <semaphore.h>

int x;
sem_t tokens;

void worker(void) {
  x = 1;
  assert(x == 1);
}
void spoiler(void) { sem_wait(&tokens); x = 2; }
