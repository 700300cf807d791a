// expect: unknown, line 9, does not fit its definition
// soundness: a function that is called with other arguments than it has
// contract: x.contract
int x = 0;
void set();

void T(void) {
  x = 1;
  set(1);
}

void set(int *p, int v) { *p = v; }
