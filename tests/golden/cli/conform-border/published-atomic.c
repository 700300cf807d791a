// expect: unknown, line 12, address escapes
// soundness: an atomic operation on a local that others know
// contract: x.contract
#include <stdatomic.h>
int x = 0;
static atomic_int *slot;

void T(void) {
  atomic_int l = 0;
  slot = &l;
  x = 1;
  if (atomic_fetch_add(&l, 1))
    x = 7;
}
