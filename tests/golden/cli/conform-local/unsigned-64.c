// expect: unknown, a number in it does not fit in 64 bits
// soundness: a counterexample whose numbers cannot be shown is no verdict, and says so
// contract: x.contract
#include <assert.h>
#include <stdint.h>
uint64_t x;
void T(void) {
  assert(x != 0xFFFFFFFFFFFFFFFFu);
  x = 1;
}
