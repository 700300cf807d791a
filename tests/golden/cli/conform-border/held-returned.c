// expect: unknown, line 13, address escapes
// soundness: an external function returns the pointer it got
// contract: x.contract
int x = 0;
extern int *first(int *a); // returns its argument, like strchr

void T(void) {
  int l;
  int *p = first(&l);
  l = 0;
  *p = 1;
  x = 1;
  if (l)
    x = 7;
}
