// expect: unknown, line 10, a comparison of two pointers
// soundness: a value that is not modelled
// contract: x.contract
int x = 0;
extern int *get(void);

void T(void) {
  int *p = get(), *q = get();
  x = 1;
  if (p == q)
    x = 7;
}
