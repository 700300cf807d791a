// expect: violates, line 13, assertion
// soundness: another number that is true is no change in the contract
// contract: never-written.contract
#include <assert.h>
int x = 0;
int limit = 3;
int on = 0;

void T(void) {
  int was = on;
  if (was)
    on = 2;
  assert(on == was);
}
