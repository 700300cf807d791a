// expect: unsafe (contracts)
// soundness: the code does what the reader relies on nobody to do
// command: check
#include <stdatomic.h>

atomic_int x;

void reader(void) { (void)atomic_load(&x); }

void writer(void) { atomic_fetch_add(&x, 1); }
