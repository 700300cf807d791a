// expect: unknown, line 12, address escapes
// soundness: an address that became a number
// contract: x.contract
#include <stdint.h>
int x = 0;
static uintptr_t slot;

void T(void) {
  int l = 0;
  slot = (uintptr_t)&l + 1;
  x = 1;
  if (l)
    x = 7;
}
