// expect: safe
// precision: the contract says what the code needs of the other threads
// command: check
#include <assert.h>
#include <stdatomic.h>

atomic_int refs = 1; // one is never given back
int head;            // moved by the writer only

void user(void) {
  assert(atomic_load(&refs) > 0); // always
  atomic_fetch_add(&refs, 1);
  assert(atomic_load(&refs) > 1); // while this thread has a reference
  atomic_fetch_sub(&refs, 1);
}

void writer(void) {
  int seen = head;
  head = seen + 1; // nobody else has moved it
}
