// expect: unknown, line 7, differs in width
// soundness: one access reaches past the variable
int low;
int high;

void worker(void) {
  *(volatile long *)&low = 0;
}
