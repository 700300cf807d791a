// expect: unknown, line 17, 'l', whose address escapes
// soundness: a copy of a structure publishes the address
// contract: x.contract
int x = 0;

struct holder {
  int id;
  int *p;
};
static struct holder global;

void T(void) {
  int l = 0;
  struct holder h = {1, &l};
  global = h;
  x = 1;
  if (l)
    x = 7;
}
