// expect: violates, step
// soundness: a local that wrapped is stored as it is, looked at or not
// contract: least.contract
#include <stdint.h>
extern uint16_t nd(void);
uint16_t x = 1;
void T(void) {
  uint16_t c = nd();
  c += 1;
  x = c;
}
