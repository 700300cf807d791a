// expect: unknown, line 9, x
// soundness: a named variable has any value
// contract: x.contract
extern void __VERIFIER_nondet_memory(void *, unsigned long);
int x = 0;

void T(void) {
  x = 1;
  __VERIFIER_nondet_memory(&x, sizeof x);
}
