// expect: violates, line 7, assertion
// soundness: nor of a local, and in an assertion
// contract: x.contract
#include <assert.h>
int x = 0;

static void require(int n) { assert(__builtin_constant_p(n)); }

void T(void) {
  int four = 4;
  require(four);
  x = 1;
}
