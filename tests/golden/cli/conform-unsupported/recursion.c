// expect: unknown, recursion: climb calls climb
// soundness: recursion is not unrolled
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;
extern int nd(void);

static void climb(int n) {
  if (n > 0)
    climb(n - 1);
}

void worker(void) {
  climb(nd());
  atomic_fetch_add(&x, 1);
}
