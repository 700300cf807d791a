// expect: unsafe
// soundness: the worker has no contract, and the helper spoils its work
// command: check
#include <assert.h>

int x;

void worker(void) {
  x = 1;
  assert(x == 1);
}

void helper(void) { x = 2; }
