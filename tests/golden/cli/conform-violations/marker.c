// expect: violates, line 9, marker
// soundness: the marker stands before the step that leads to its state
#include "understudy.h"
#include <stdatomic.h>

atomic_int x;

void worker(void) {
  UNDERSTUDY_AT(Working);
  atomic_fetch_add(&x, 1);
  atomic_fetch_sub(&x, 1);
}
