// expect: violates, line 12, atomic-assertion
// soundness: inside an atomic section the contract excuses nothing
#include <assert.h>

int x;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void worker(void) {
  __VERIFIER_atomic_begin();
  x = x + 1;
  assert(x < 4);
  __VERIFIER_atomic_end();
}
