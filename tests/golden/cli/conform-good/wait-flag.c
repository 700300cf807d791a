// expect: conforms
// precision: an int stands for a bool, a loop waits, a marker names a state
#include "understudy.h"
#include <stdatomic.h>

atomic_int ready;

void reader(void) {
  while (!atomic_load(&ready)) {
  }
  UNDERSTUDY_AT(Seen);
}

void writer(void) { atomic_store(&ready, 4); }
