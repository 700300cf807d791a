// expect: unknown, line 7, differs in width
// soundness: a byte of the variable is not the variable
// contract: counter.contract
int x;

void worker(void) {
  *(volatile char *)&x = 1;
}
