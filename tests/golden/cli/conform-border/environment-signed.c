// expect: safe
// precision: a signed variable may be negative
// contract: environment-signed.contract
// command: check
#include <assert.h>
volatile int count = 0;

void T(void) {
  assert(count >= -1);
}
