// expect: violates, line 7, step
// soundness: the table of callbacks is copied by memcpy
// contract: x.contract
int x = 0;

static void set7(void) {
  x = 7;
}
static void none(void) {}

void T(void) {
  void (*from[2])(void) = {none, set7};
  void (*to[2])(void);
  __builtin_memcpy(to, from, sizeof to);
  x = 1;
  to[1]();
}
