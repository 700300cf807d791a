// expect: unknown, line 13, not tracked exactly
// soundness: a store through a pointer of two locals, one of which is published later
// contract: x.contract
int x = 0;
extern int *give(void);
extern int choose(void);
extern void keep(int *);

void T(void) {
  int a = 0, b = 0;
  int *p = choose() ? &a : choose() ? &b : give();
  *p = 1;
  if (a)
    x = 7;
  x = 1;
  keep(&b);
}
