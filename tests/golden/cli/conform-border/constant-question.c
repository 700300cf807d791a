// expect: unknown, line 8, a violation depends on what __builtin_constant_p returns
// soundness: whether a value is a constant depends on how the code is compiled
// contract: x.contract
int x = 0;

static int choice(int n) {
  // 1 with optimisation, 2 without
  return __builtin_constant_p(n) ? 1 : 2;
}

void T(void) {
  x = choice(4);
}
