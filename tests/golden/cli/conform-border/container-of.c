// expect: violates, line 20, step
// soundness: from a member to its structure
// contract: x.contract
int x = 0;

struct link {
  int n;
};
struct item {
  int a;
  struct link l;
};

void T(void) {
  struct item i = {1, {2}};
  struct link *l = &i.l;
  ((struct item *)((char *)l - __builtin_offsetof(struct item, l)))->a = 0;
  x = 1;
  if (!i.a)
    x = 7;
}
