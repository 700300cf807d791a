// expect: violates, line 7, step
// soundness: a helper replaces the callback
// contract: x.contract
int x = 0;

static void set7(void) {
  x = 7;
}
static void none(void) {}
struct ops {
  void (*done)(void);
};
static void replace(struct ops *ops) { ops->done = set7; }

void T(void) {
  struct ops ops = {none};
  replace(&ops);
  x = 1;
  ops.done();
}
