// expect: unknown, line 13, 'l', whose address escapes
// soundness: memcpy publishes the address
// contract: x.contract
int x = 0;

static int *slot;

void T(void) {
  int l = 0;
  int *p = &l;
  __builtin_memcpy(&slot, &p, sizeof p);
  x = 1;
  if (l)
    x = 7;
}
