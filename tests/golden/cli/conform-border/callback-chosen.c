// expect: unknown, line 13, function pointer
// soundness: one of two functions, which cannot be told
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
