// expect: unknown, line 17, 'l', whose address escapes
// soundness: a helper publishes the address
// contract: x.contract
int x = 0;
static int *slot;

static int *keep(int *p) {
  slot = p;
  return p;
}

void T(void) {
  int l;
  keep(&l);
  l = 0;
  x = 1;
  if (l)
    x = 7;
}
