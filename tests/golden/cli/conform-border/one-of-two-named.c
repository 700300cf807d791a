// expect: violates, line 13, step
// soundness: a store through a pointer that is the variable or a local
// contract: x.contract
int x = 0;
extern int choose(void);

void T(void) {
  int other = 0;
  int *p = &other;
  if (choose())
    p = &x;
  x = 1;
  *p = 7;
}
