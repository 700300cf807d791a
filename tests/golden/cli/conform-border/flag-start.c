// expect: violates, line 6, start
// soundness: the start value of a structure of one integer
// contract: flag.contract
#include <stdatomic.h>
atomic_flag busy = ATOMIC_FLAG_INIT;
struct { int v; } n = {5};

void T(void) {
  while (atomic_flag_test_and_set(&busy))
    ;
  __sync_fetch_and_add(&n.v, 1);
  atomic_flag_clear(&busy);
}
