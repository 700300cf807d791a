// expect: conforms
// precision: parentheses are no cast
// contract: least.contract
#include <stdint.h>
extern uint8_t nd(void);
uint8_t x = 1;
void T(void) {
  uint8_t c = nd();
  x = (c) + (1);
}
