// expect: conforms
// precision: a handler of the contract that is registered runs as the contract says
// contract: two.contract
#include <stddef.h>
extern int request_irq(int, void (*)(void));
int x;
void Irq(void) { x = 4; }
void T(void) {
  request_irq(3, Irq);
  x = 1;
}
