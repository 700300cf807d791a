// expect: unknown, line 11, address escapes
// soundness: published in a later round than the one that reads
// contract: x.contract
int x = 0;
static int *slot;

void T(void) {
  int l = 0;
  x = 1;
  for (int i = 0; i < 2; i++) {
    if (l)
      x = 7;
    slot = &l;
  }
}
