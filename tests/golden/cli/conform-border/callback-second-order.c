// expect: violates, line 7, step
// soundness: a callback calls a callback
// contract: x.contract
int x = 0;

static void set(int value) {
  x = value;
}
static void call(void (*f)(int), int value) { f(value); }
static void twice(void (*g)(void (*)(int), int), void (*f)(int), int value) { g(f, value); }

void T(void) {
  x = 1;
  twice(call, set, 7);
}
