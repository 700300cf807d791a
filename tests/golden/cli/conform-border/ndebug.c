// expect: conforms
// soundness: assertions that the preprocessor removes are listed with their lines
// contract: x.contract
// listed: not checked (is NDEBUG defined?): tests/golden/cli/conform-border/ndebug.c:12 assert(x == 3)
#define NDEBUG
#include <assert.h>
int x = 0;
static_assert(sizeof x == 4, "not an assertion of the run");
void T(void) {
  x = 1; // assert(x == 1) would hold
  const char *text = "assert(0)"; /* assert(
                             assert(x == 3) */ assert(x == 3);
}
