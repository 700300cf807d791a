// expect: unknown, recursion: 
// soundness: recursion through two functions
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;
static void odd(int n);

static void even(int n) {
  if (n > 0)
    odd(n - 1);
}

static void odd(int n) {
  if (n > 0)
    even(n - 1);
}

void worker(void) {
  even(4);
  atomic_fetch_add(&x, 1);
}
