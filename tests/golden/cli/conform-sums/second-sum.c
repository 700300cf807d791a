// expect: violates, step
// soundness: a sum of the same operands that is tested is another sum
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
void T(void) {
  unsigned h = nd();
  unsigned c = h + 1;
  if (h + 1 < 5)
    x = c;
  else
    x = 1;
}
