// expect: conforms
// precision: an assertion that is lost in a callback is named, and a member that is called so is none
// contract: x.contract
// listed: lost-callback.c:8 assert(v >= 0)
// options: --clang-arg=-DNDEBUG
#include <assert.h>
int x;
static void check(int v) { assert(v >= 0); }
struct ops { void (*assert_ok)(int); };
static const struct ops all = {check};
static void run(const struct ops *ops) { ops->assert_ok(1); }
void T(void) {
  run(&all);
  x = 1;
}
