// expect: violates, line 4, start
// soundness: a start value that is an expression
// contract: x.contract
int x = (sizeof(long) > 2) - 2 * (1 << 3) / 4;

void T(void) {
  x = 1;
}
