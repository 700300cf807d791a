// expect: unknown, line 4, 'written under', as of 'x'
// soundness: who holds the lock is not followed
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
