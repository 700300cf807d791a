// expect: violates, line 9, overflow
// soundness: with --overflow check, the largest value is not counted up
// contract: counter.contract
// options: --overflow check
#include <stdatomic.h>

atomic_int x;

void worker(void) { atomic_fetch_add(&x, 1); }
