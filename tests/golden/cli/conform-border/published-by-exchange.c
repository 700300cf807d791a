// expect: unknown, line 12, address escapes
// soundness: an atomic exchange publishes the address
// contract: x.contract
#include <stdatomic.h>
int x = 0;
static int *_Atomic slot;

void T(void) {
  int l = 0;
  atomic_exchange(&slot, &l);
  x = 1;
  if (l)
    x = 7;
}
