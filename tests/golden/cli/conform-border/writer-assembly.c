// expect: conforms
// soundness: assembly in another function may write anything
// contract: x.contract
// listed: irq (tests/golden/cli/conform-border/writer-assembly.c:12) contains assembly, which writes no named variable
int x = 0;

void T(void) {
  x = 1;
}

void irq(void) {
  __asm__("movl $5, other" ::: "memory");
}
