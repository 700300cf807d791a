// expect: conforms
// precision: the code of flag.contract
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

int data;
atomic_bool ready;

void producer(void) {
  data = 7;
  atomic_store(&ready, true);
}

void consumer(void) {
  while (!atomic_load(&ready)) {
  }
  assert(data == 7);
}
