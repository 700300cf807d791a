// expect: unknown, line 11, 'v', whose address escapes
// soundness: a parameter is a local, too
// contract: x.contract
int x = 0;

static int *slot;

static void check(int v) {
  slot = &v;
  x = 1;
  if (v)
    x = 7;
}

void T(void) {
  check(0);
}
