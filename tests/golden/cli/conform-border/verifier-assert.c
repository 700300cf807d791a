// expect: violates, line 9, assertion
// soundness: __VERIFIER_assert without a body
// contract: x.contract
extern void __VERIFIER_assert(int);
int x = 0;

void T(void) {
  x = 1;
  __VERIFIER_assert(x == 5);
}
