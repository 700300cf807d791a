// expect: conforms
// precision: one call of a handler
#include <stdatomic.h>

atomic_int x;

void tick(void) { atomic_fetch_add(&x, 1); }
