// expect: violates, line 13, step
// soundness: a pointer to one of two locals
// contract: x.contract
int x = 0;
extern int choose(void);

void T(void) {
  int a = 0, b = 0;
  int *p = choose() ? &a : &b;
  *p = 1;
  x = 1;
  if (a)
    x = 7;
}
