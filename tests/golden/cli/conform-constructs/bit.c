// expect: unknown, line 3, leads through a struct, a pointer or a bit
// soundness: the other bits change with it
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
