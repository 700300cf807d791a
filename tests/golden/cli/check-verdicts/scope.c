// expect: safe
// precision: with a number of threads, and an environment among the assumptions
// command: check
// options: --threads worker=2
#include <stdatomic.h>
#include <stdbool.h>

atomic_bool busy;

void worker(void) { atomic_store(&busy, true); }
