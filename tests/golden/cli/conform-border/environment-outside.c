// expect: error, this edge gives count, an unsigned 32-bit integer (tests/golden/cli/conform-border/environment-outside.c:6)
// contract: environment-signed.contract
// command: check
#include <assert.h>
#include <stdint.h>
volatile uint32_t count = 0;

void T(void) {
  assert(count <= 5);
}
