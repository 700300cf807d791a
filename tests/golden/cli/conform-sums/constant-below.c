// expect: violates, line 8, underflow
// soundness: a sum of constants is not computed before it is looked at
// contract: any.contract
unsigned x = 1;

void T(void) {
  unsigned c = 0;
  x = c - 1;
}
