// expect: conforms
// soundness: a start value that is no number cannot be checked
// contract: x.contract
// listed: the initial value of x, not a constant in the code
#include <stdint.h>
int other;
uintptr_t x = (uintptr_t)&other;

void T(void) {
  x = 1;
}
