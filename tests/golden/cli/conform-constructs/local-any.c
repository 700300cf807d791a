// expect: unknown, line 5, locals without a range, as 'my' of Worker
// soundness: the set of its values is not kept
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
