// expect: violates, line 11, step
// soundness: test-and-set and clear are steps
// contract: flag.contract
#include <stdatomic.h>
atomic_flag busy = ATOMIC_FLAG_INIT;
atomic_int n = 0;

void T(void) {
  while (atomic_flag_test_and_set(&busy))
    ;
  atomic_flag_clear(&busy);
  n++;
}
