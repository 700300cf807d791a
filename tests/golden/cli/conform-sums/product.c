// expect: violates, step
// soundness: products wrap as sums do
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
void T(void) {
  unsigned c = nd() | 1;
  c = (c + 1) * 3;
  x = c;
}
