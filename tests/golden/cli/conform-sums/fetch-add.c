// expect: conforms
// precision: an atomic addition is a sum in the store
// contract: grows.contract
#include <stdatomic.h>
_Atomic unsigned x = 1;
void T(void) { atomic_fetch_add(&x, 1); }
