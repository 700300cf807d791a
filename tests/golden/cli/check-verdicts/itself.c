// expect: safe
// precision: the worker has no contract, its code takes part
// command: check
#include <assert.h>

int x;

void worker(void) {
  x = 1;
  assert(x == 1);
}

void helper(void) { x = 1; }
