// expect: violates, step
// soundness: also of 64 bits
// contract: least.contract
#include <stdint.h>
extern uint64_t nd(void);
uint64_t x = 1;
void T(void) {
  uint64_t c = nd();
  c = c + 1;
  x = c;
}
