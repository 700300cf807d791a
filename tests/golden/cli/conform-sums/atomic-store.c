// expect: violates, step
// soundness: an atomic store of a local that wrapped
// contract: least.contract
#include <stdatomic.h>
extern unsigned nd(void);
_Atomic unsigned x = 1;
void T(void) {
  unsigned c = nd();
  c++;
  atomic_store(&x, c);
}
