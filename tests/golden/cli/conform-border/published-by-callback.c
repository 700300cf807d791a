// expect: unknown, line 19, 'l', whose address escapes
// soundness: a callback publishes the address
// contract: x.contract
int x = 0;

static int *slot;

static void keep(int *p) { slot = p; }

struct ops {
  void (*take)(int *);
};

void T(void) {
  int l = 0;
  struct ops ops = {keep};
  ops.take(&l);
  x = 1;
  if (l)
    x = 7;
}
