// expect: unknown, line 7, a violation depends on what __builtin_constant_p returns
// soundness: with optimisation it may be true
// contract: x.contract
int x = 0;

static int choice(int n) {
  return __builtin_constant_p(n) ? 2 : 1;
}

void T(void) {
  x = choice(4);
}
