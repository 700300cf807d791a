// expect: violates, line 9, step
// soundness: with --overflow wrap, 255 becomes 0, which is not 256
// contract: counter.contract
// options: --overflow wrap
#include <stdatomic.h>

_Atomic unsigned char x;

void worker(void) { atomic_fetch_add(&x, 1); }
