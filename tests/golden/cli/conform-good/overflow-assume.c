// expect: conforms
// precision: by default a store does not exceed the type, and the verdict says so
#include <stdatomic.h>

_Atomic unsigned char x;

void worker(void) { atomic_fetch_add(&x, 1); }
