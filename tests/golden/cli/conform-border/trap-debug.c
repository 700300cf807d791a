// expect: violates, line 9, assertion
// soundness: a breakpoint in the code is an assertion, and the run may go on behind it
// contract: x.contract
#define ASSERT(c) ((c) ? (void)0 : __builtin_debugtrap())
int x = 0;

void T(void) {
  x = 1;
  ASSERT(x == 5);
}
