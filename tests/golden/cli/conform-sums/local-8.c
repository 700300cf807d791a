// expect: violates, step
// soundness: also of eight bits, by ++
// contract: least.contract
#include <stdint.h>
extern uint8_t nd(void);
uint8_t x = 1;
void T(void) {
  uint8_t c = nd();
  c++;
  x = c;
}
