// expect: violates, line 10, step
// soundness: in a final state nothing is allowed any more
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;

void worker(void) {
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
}
