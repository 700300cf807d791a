// expect: conforms
// soundness: another function runs the code of a thread
// contract: x.contract
// listed: irq (tests/golden/cli/conform-border/writer-calls-thread.c:12) calls T only to run a thread that the run line starts
int x = 0;

void T(void) {
  x = 1;
}

void irq(void) {
  T();
}
