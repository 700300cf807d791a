// expect: unknown, recursion: 
// soundness: recursion through two functions
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;
extern int nd(void);
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
  even(nd());
  atomic_fetch_add(&x, 1);
}
