// expect: unknown, line 12, a violation depends on what strlen returns
// soundness: a failure of the composition that depends on a value that is not modelled
// contract: itself.contract
// command: check
#include <assert.h>
#include <string.h>
int x = 0;
char text[8] = "abc";

void T(void) {
  x = 1;
  if (strlen(text) == 7)
    assert(0);
}
