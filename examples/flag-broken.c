// expect: violates, line 12, step
// soundness: says that the buffer is filled before it is
// contract: flag.contract
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

int data;
atomic_bool ready;

void producer(void) {
  atomic_store(&ready, true);
  data = 7;
}

void consumer(void) {
  while (!atomic_load(&ready)) {
  }
  assert(data == 7);
}
