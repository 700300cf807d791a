// expect: conforms
// soundness: an interrupt handler writes through a helper that the thread calls, too
// contract: x.contract
// listed: called by irq (tests/golden/cli/conform-border/writer-helper.c:15), may write x
int x = 0;

static void set(int v) {
  x = v;
}

void T(void) {
  set(1);
}

void irq(void) {
  set(7);
}
