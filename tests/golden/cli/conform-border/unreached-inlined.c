// expect: conforms
// precision: code of a function that is called twice is reached if one call gets there
// contract: x.contract
// listed: never reached: unreached-inlined.c:16 assert(x == 3)
#include <assert.h>
extern void __VERIFIER_assume(int);
int x = 0;
static void set(int value) {
  x = value;
  assert(x == 1 || x != 1);
}
void T(void) {
  set(1);
  __VERIFIER_assume(0);
  set(1);
  assert(x == 3);
}
