// expect: conforms
// precision: a weak compare-exchange may fail spuriously; the loop tries again
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;

void worker(void) {
  int seen = atomic_load(&x);
  while (!atomic_compare_exchange_weak(&x, &seen, seen + 1)) {
  }
}
