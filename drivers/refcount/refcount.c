// SPDX-License-Identifier: Apache-2.0
// An object with a reference count, found through a table that holds no reference of its own;
// refcount.contract has the protocol.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

// References to the object. Zero is final.
atomic_uint count = 1;
// The object has been freed.
bool freed = false;

// Takes a reference unless the count is zero: then the object is being freed, and the count must
// not be touched. The count is raised only if it is still the number that was looked at.
static bool get_unless_zero(void) {
  unsigned seen = atomic_load(&count);
  while (seen != 0) {
    // When the exchange fails, `seen` becomes the count that was found instead.
    if (atomic_compare_exchange_weak(&count, &seen, seen + 1))
      return true;
  }
  return false;
}

// Gives a reference back; the last one frees. Which one is the last is known from the subtraction
// itself: read again, the count could be zero for two of them.
static void put(void) {
  if (atomic_fetch_sub(&count, 1) == 1) {
    assert(!freed);
    freed = true;
  }
}

// Finds the object and uses it; any number of them at a time.
void User(void) {
  if (!get_unless_zero())
    return;
  assert(!freed);
  put();
}

// Has the first reference from the start.
void Owner(void) {
  assert(!freed);
  put();
}
