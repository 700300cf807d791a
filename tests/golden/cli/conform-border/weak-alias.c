// expect: violates, line 8, step
// soundness: an alias of a function
// contract: x.contract
// listed: the weak function set7
int x = 0;

static void set7(void) {
  x = 7;
}
void hook(void) __attribute__((weak, alias("set7")));

void T(void) {
  x = 1;
  hook();
}
