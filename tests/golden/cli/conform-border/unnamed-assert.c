// expect: unknown, line 11, 'seen', which the contract does not name
// precision: an assertion about memory that the contract does not name
// contract: x.contract
#include <assert.h>
int x = 0;
static int seen;

void T(void) {
  seen = 1;
  x = 1;
  assert(seen == 1);
}
