// expect: violates, line 8, underflow
// soundness: an unsigned count at 0 does not become -1
#include <stdatomic.h>

atomic_uint x = 1;

void worker(void) {
  atomic_fetch_sub(&x, 1);
}
