// expect: conforms
// precision: callees are followed, locals whose address is taken stay local
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;

static void choose(int *step) { *step = 1; }

static void add(int step) { atomic_fetch_add(&x, step); }

void worker(void) {
  int step;
  choose(&step);
  add(step);
}
