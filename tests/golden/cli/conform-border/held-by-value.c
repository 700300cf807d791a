// expect: unknown, line 17, 'l', whose address escapes
// soundness: a structure handed over by value holds the address
// contract: x.contract
int x = 0;

struct holder {
  long id[4];
  int *p;
};
extern void take(struct holder);

void T(void) {
  int l = 0;
  struct holder h = {{1}, &l};
  take(h);
  x = 1;
  if (l)
    x = 7;
}
