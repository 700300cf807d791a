// expect: unknown, line 8, a bit operation on two variables
// soundness: a violation that depends on one is not confirmed
// contract: x.contract
extern unsigned nd(void);
int x;
void T(void) {
  unsigned a = nd(), b = nd();
  if ((a & b) + (a | b) != a + b)
    x = 2;
  else
    x = 1;
}
