// expect: unknown, line 17, address escapes
// soundness: a pointer in a local struct that is copied to shared memory
// contract: x.contract
int x = 0;

struct req {
  int *where;
  char text[20];
};
static struct req queue;

void T(void) {
  int l = 0;
  struct req r = {&l, "request"};
  queue = r;
  x = 1;
  if (l)
    x = 7;
}
