// expect: conforms
// soundness: the machine may reorder what is not sequentially consistent
// contract: x.contract
// listed: weaker than sequentially consistent behave as if they were: tests/golden/cli/conform-border/weak-order.c:9, tests/golden/cli/conform-border/weak-order.c:10
#include <stdatomic.h>
atomic_int x;

void T(void) {
  atomic_store_explicit(&x, 1, memory_order_release);
  int seen = atomic_load_explicit(&x, memory_order_acquire);
  (void)seen;
  atomic_load(&x);
}
