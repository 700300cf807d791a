// expect: unsafe
// soundness: the code goes wrong as its contracts do
// command: check
#include <assert.h>

int x;

void worker(void) {
  x = 1;
  assert(x == 1);
}

void spoiler(void) { x = 2; }
