// expect: unknown, line 3, 'owned by', as of 'x'
// soundness: who writes is not checked
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
