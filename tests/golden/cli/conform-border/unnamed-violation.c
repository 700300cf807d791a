// expect: violates, line 11, step
// soundness: a violation that does not depend on what is not known
// contract: x.contract
int x = 0;
static int seen;
extern void deliver(int);

void T(void) {
  int copy = seen;
  deliver(copy);
  x = 7;
}
