// expect: violates, line 7, step
// soundness: a function returns the callback
// contract: x.contract
int x = 0;

static void set7(void) {
  x = 7;
}
static void none(void) {}
static void (*pick(int bad))(void) { return bad ? set7 : none; }

void T(void) {
  x = 1;
  pick(1)();
}
