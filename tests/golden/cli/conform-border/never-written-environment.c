// expect: violates, line 11, assertion
// soundness: an environment writes the variable
// contract: never-written-environment.contract
#include <assert.h>
int x = 0;
int limit = 3;

void T(void) {
  int before = limit;
  x = 1;
  assert(limit == before);
}
