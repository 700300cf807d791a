// expect: conforms
// soundness: what stands behind a constant condition is never reached, and said to be so
// contract: x.contract
// listed: never reached: unreached-constant.c:17 assert(x == 1)
#include <assert.h>

int x = 0;

static void set(int value, int twice) {
  x = value;
  if (twice) x = value;
}

void T(void) {
  int debug = 0;
  if (debug)
    assert(x == 1);
  set(1, debug);
}
