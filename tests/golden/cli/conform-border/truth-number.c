// expect: violates, line 9, assertion
// soundness: a true bool may be any number but 0 in the code
// contract: truth.contract
#include <assert.h>
int busy = 0;

void T(void) {
  busy = 1;
  assert(busy == 1);
}
