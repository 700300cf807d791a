// expect: violates, line 12, assertion
// soundness: no state of the contract fails when the assertion does
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

atomic_bool freed;

void worker(void) {
  if (atomic_load(&freed))
    return;
  assert(!atomic_load(&freed));
}

void unload(void) { atomic_store(&freed, true); }
