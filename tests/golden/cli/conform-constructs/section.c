// expect: unknown, line 3, sections, as 'lock'
// soundness: a critical section is not followed
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
