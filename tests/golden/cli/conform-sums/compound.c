// expect: conforms
// precision: x += n is a sum in the store itself
// contract: least.contract
#include <stdint.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
uint8_t x = 1;
void T(void) {
  __VERIFIER_atomic_begin();
  x += 1;
  __VERIFIER_atomic_end();
}
