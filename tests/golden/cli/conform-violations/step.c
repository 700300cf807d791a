// expect: violates, line 8, step
// soundness: the store goes up, not down
#include <stdatomic.h>

atomic_int x = 3;

void worker(void) {
  atomic_fetch_add(&x, 2);
}
