// expect: violates, line 12, step
// soundness: the memory of a local has any value
// contract: x.contract
extern void __VERIFIER_nondet_memory(void *, unsigned long);
int x = 0;

void T(void) {
  int l = 0;
  x = 1;
  __VERIFIER_nondet_memory(&l, sizeof l);
  if (l)
    x = 7;
}
