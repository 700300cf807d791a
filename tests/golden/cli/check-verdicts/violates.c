// expect: violates, line 13, step
// soundness: a thread that does not conform outweighs the composition
// command: check
// contract: spoiled.contract
#include <assert.h>

int x;

void worker(void) {
  x = 1;
  assert(x == 1);
}
void spoiler(void) { x = 0; }
