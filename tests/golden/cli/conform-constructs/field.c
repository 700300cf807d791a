// expect: unknown, line 3, leads through a struct, a pointer or a bit
// soundness: a field that is not followed
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
