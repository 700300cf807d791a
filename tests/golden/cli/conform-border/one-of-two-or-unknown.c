// expect: unknown, line 13, may reach 'x'
// soundness: the variable, or wherever an external function points
// contract: x.contract
int x = 0;
extern int choose(void);
extern int *give(void);

void T(void) {
  int *p = give();
  if (choose())
    p = &x;
  x = 1;
  *p = 7;
}
