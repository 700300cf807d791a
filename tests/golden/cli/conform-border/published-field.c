// expect: unknown, line 15, address escapes
// soundness: the address of a member of a local struct is published
// contract: x.contract
int x = 0;
static int *slot;

struct pair {
  int first, second;
};

void T(void) {
  struct pair p = {0, 0};
  slot = &p.second;
  x = 1;
  if (p.second)
    x = 7;
}
