// expect: violates, line 13, step
// soundness: a change that is undone in the same section is one
// contract: never-written.contract
#include <stdbool.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x = 0;
int limit = 3;
bool on = false;

void T(void) {
  __VERIFIER_atomic_begin();
  limit++;
  limit--;
  x = 1;
  __VERIFIER_atomic_end();
}
