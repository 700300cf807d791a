// expect: violates, line 17, step
// SPDX-License-Identifier: Apache-2.0
// Wrong: the count is looked at and raised in two steps, and may have become zero in between.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

// References to the object. Zero is final.
atomic_uint count = 1;
// The object has been freed.
bool freed = false;

// Takes a reference unless the count is zero.
static bool get_unless_zero(void) {
  if (atomic_load(&count) == 0)
    return false;
  atomic_fetch_add(&count, 1);
  return true;
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
