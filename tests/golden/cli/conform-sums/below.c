// expect: violates, underflow
// soundness: a difference in the store itself must not go below 0
// contract: any.contract
unsigned x = 1;
extern unsigned nd(void);
void T(void) {
  unsigned c = nd();
  x = c - 1;
}
