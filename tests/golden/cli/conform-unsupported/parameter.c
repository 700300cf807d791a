// expect: unknown, line 10, this pointer may reach 'x'
// soundness: the caller may hand over the variable's address
// contract: counter.contract
int x;

void *address(void) { return &x; }

void worker(void *argument) {
  int *cell = argument;
  *cell = 7;
}
