// expect: violates, step
// soundness: a pointer that changes in a loop
// contract: x.contract
extern int nd(void);
int x;
static void none(void) {}
static void one(void) { x = 1; }
static void two(void) { x = 2; }
void T(void) {
  void (*f)(void) = none;
  for (int i = 0; i < 3; ++i) {
    f();
    f = i == 0 ? one : two;
  }
}
