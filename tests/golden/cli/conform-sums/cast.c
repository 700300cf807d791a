// expect: violates, step
// soundness: a sum that the code cuts itself is stored as it is
// contract: least.contract
#include <stdint.h>
extern uint8_t nd(void);
uint8_t x = 1;
void T(void) {
  uint8_t c = nd();
  x = (uint8_t)(c + 1);
}
