// expect: conforms
// soundness: a helper writes the variable only when others call it
// contract: x.contract
// listed: put (tests/golden/cli/conform-border/writer-argument.c:8), called by irq
int x = 0;

static void put(int *p, int v) {
  *p = v;
}

void T(void) {
  int l;
  put(&l, 1);
  x = l;
}

void irq(void) {
  put(&x, 7);
}
