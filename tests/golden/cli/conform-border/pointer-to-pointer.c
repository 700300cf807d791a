// expect: violates, line 14, step
// soundness: a store through a pointer to a pointer
// contract: x.contract
int x = 0;

static void set(int **p) { **p = 1; }

void T(void) {
  int l = 0;
  int *p = &l;
  set(&p);
  x = 1;
  if (l)
    x = 7;
}
