// expect: violates, step
// soundness: also of the width of the registers
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
void T(void) {
  unsigned c = nd();
  c = c + 1;
  x = c;
}
