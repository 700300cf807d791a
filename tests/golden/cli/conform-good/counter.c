// expect: conforms
// precision: a read-modify-write is one step
#include <stdatomic.h>

atomic_int x;

void worker(void) { atomic_fetch_add(&x, 1); }
