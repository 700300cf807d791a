// expect: violates, line 8, step
// soundness: one of two functions: both are followed
// contract: x.contract
int x = 0;
extern int choose(void);

static void nothing(void) {}
static void set7(void) { x = 7; }

void T(void) {
  void (*f)(void) = choose() ? set7 : nothing;
  x = 1;
  f();
}
