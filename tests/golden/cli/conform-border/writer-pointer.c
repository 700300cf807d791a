// expect: conforms
// soundness: a store through a pointer that may lead to the variable
// contract: x.contract
// listed: irq (tests/golden/cli/conform-border/writer-pointer.c:13) may write x
int x = 0;
int *p = &x;

void T(void) {
  x = 1;
}

void irq(void) {
  *p = 7;
}
