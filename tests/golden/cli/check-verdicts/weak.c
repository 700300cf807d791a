// expect: unsafe (contracts)
// precision: the code sets 1, the contract allows 2 as well
// command: check
#include <assert.h>

int x;

void worker(void) {
  x = 1;
  assert(x == 1);
}
