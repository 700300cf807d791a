// expect: violates, line 11, step
// soundness: memmove over itself
// contract: x.contract
int x = 0;

void T(void) {
  int a[3] = {1, 2, 3};
  __builtin_memmove(a + 1, a, 2 * sizeof a[0]);
  x = 1;
  if (a[2] == 2)
    x = 7;
}
