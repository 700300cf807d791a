// expect: violates, line 14, step
// soundness: some elements of an array have any value
// contract: x.contract
extern void __VERIFIER_nondet_memory(void *, unsigned long);
int x = 0;

void T(void) {
  int a[4] = {1, 2, 3, 4};
  __VERIFIER_nondet_memory(a + 1, 2 * sizeof *a);
  if (a[0] != 1 || a[3] != 4)
    x = 6;
  x = 1;
  if (a[2] == 9)
    x = 7;
}
