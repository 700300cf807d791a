// expect: unknown, line 4, 'via', as of Worker
// soundness: what the wrapper does is not followed
#include <stdatomic.h>

struct uart {
  atomic_int head;
  atomic_int flags;
};

atomic_int x;

void worker(void) { x++; }
