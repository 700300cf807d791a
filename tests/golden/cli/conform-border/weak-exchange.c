// expect: conforms
// soundness: a compare-exchange that is weak where it fails
// contract: x.contract
// listed: weaker than sequentially consistent behave as if they were: tests/golden/cli/conform-border/weak-exchange.c:10
#include <stdatomic.h>
atomic_int x;

void T(void) {
  int seen = 0;
  while (!atomic_compare_exchange_strong_explicit(&x, &seen, 1, memory_order_seq_cst, memory_order_relaxed))
    ;
}
