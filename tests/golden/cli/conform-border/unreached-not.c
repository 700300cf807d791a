// expect: unknown, conforms only under assumptions
// precision: all of this is reached, or not meant to be, so --strict has nothing else to say
// contract: x.contract
// options: --strict
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x = 0, errors;
_Noreturn void panic(const char *why, ...);
static void fail(void) {
  errors = 1;
  panic("x is %d", x);
}
void T(void) {
  x = 1;
  int a = __VERIFIER_nondet_int() ? 3 : 4;
  assert(a == 3 || a == 4 || x == 7);
  assert(a != 5 && a != 6);
  switch (a) {
  case 3:
  case 4:
    break;
  default:
    assert(0);
  }
  if (a < 3) {
    errors = 2;
    fail();
  }
}
