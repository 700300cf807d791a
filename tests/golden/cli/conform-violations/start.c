// expect: violates, start
// soundness: the contract starts at 0
// contract: counter.contract
#include <stdatomic.h>

atomic_int x = 2;

void worker(void) { atomic_fetch_add(&x, 1); }
