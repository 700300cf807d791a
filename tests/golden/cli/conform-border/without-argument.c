// expect: unknown, line 8, __VERIFIER_assume does not fit
// precision: a call without its argument
// contract: x.contract
void __VERIFIER_assume();
int x = 0;

void T(void) {
  __VERIFIER_assume();
  x = 1;
}
