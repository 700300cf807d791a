// expect: unknown, line 12, signal
// soundness: a signal handler runs between any two steps
// contract: counter.contract
#include <signal.h>
#include <stdatomic.h>

atomic_int x;

static void caught(int number) { atomic_store(&x, number); }

void worker(void) {
  signal(SIGINT, caught);
  atomic_fetch_add(&x, 1);
}
