// expect: unknown, line 9, computed goto
// soundness: labels as values
// contract: x.contract
int x = 0;
extern int choose(void);

void T(void) {
  static void *const labels[] = {&&one, &&two};
  goto *labels[choose() & 1];
one:
  x = 1;
two:
  return;
}
