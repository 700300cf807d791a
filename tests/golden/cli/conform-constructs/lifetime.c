// expect: unknown, line 4, lifetimes, as that of 'gone'
// soundness: a use after the free is not seen
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
