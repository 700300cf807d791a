// expect: unknown, line 8, this pointer may reach 'x'
// soundness: the pointer may lead to the variable
// contract: counter.contract
int x;
int *where = &x;

void worker(void) {
  *where = 1;
}
