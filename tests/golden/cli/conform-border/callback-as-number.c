// expect: violates, line 7, step
// soundness: the callback was a number for a while
// contract: x.contract
int x = 0;

static void set7(void) {
  x = 7;
}

void T(void) {
  unsigned long number = (unsigned long)set7;
  x = 1;
  ((void (*)(void))number)();
}
