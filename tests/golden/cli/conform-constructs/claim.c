// expect: unknown, line 4, claims about code
// soundness: the claim is not checked
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
