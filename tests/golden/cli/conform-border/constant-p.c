// expect: violates, line 9, step
// soundness: __builtin_constant_p is false, as without optimisation
// contract: x.contract
int x = 0;

void T(void) {
  x = 1;
  if (!__builtin_constant_p(x))
    x = 7;
}
