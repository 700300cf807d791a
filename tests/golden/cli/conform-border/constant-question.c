// expect: violates, line 12, step
// soundness: our own folding does not make a constant of an argument: without optimisation it is none
// contract: x.contract
int x = 0;

static int choice(int n) {
  // 1 with optimisation, 2 without
  return __builtin_constant_p(n) ? 1 : 2;
}

void T(void) {
  x = choice(4);
}
