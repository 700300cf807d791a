// expect: unknown, line 3, objects, as 'dev', are
// soundness: which object a pointer points to is not found out
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
