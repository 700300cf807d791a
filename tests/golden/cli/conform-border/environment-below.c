// expect: unsafe
// soundness: the device takes an unsigned variable below 0, which conformance never looks at
// contract: environment.contract
// command: check
// listed: environment Device does not take count beyond its C type
#include <assert.h>
unsigned count = 0;

void T(void) {
  assert(count <= 4294967295u);
}
