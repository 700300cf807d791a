// expect: conforms
// precision: a recursion that ends whatever happens is followed
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;

static void climb(int n) {
  if (n > 0)
    climb(n - 1);
}

void worker(void) {
  climb(3);
  atomic_fetch_add(&x, 1);
}
