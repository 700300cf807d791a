// expect: conforms
// precision: an atomic flag is its value
// contract: flag.contract
#include <stdatomic.h>
atomic_flag busy = ATOMIC_FLAG_INIT;
struct {
  struct {
    int counter;
  } inner;
} n = {{0}};

void T(void) {
  while (atomic_flag_test_and_set(&busy))
    ;
  __sync_fetch_and_add(&n.inner.counter, 1);
  atomic_flag_clear(&busy);
}
