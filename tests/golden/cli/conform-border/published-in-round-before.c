// expect: unknown, line 11, address escapes
// soundness: what stands before the call is executed after it, in the next round
// contract: x.contract
int x = 0;
extern void keep(int *);

void T(void) {
  int l = 0;
  x = 1;
  for (int i = 0; i < 2; i++) {
    if (l)
      x = 7;
    keep(&l);
  }
}
