// expect: violates, line 38, assertion
// SPDX-License-Identifier: Apache-2.0
// Wrong: stoppingFlag is read before the reference is taken.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

// References to the device: one for the loaded driver, one for every request in progress.
atomic_int pendingIO = 1;
// The driver is being unloaded; requests that see it give up.
atomic_bool stoppingFlag = false;
// The last reference is gone.
atomic_bool stoppingEvent = false;
// The device is freed.
bool stopped = false;

// Takes a reference; 1: go ahead, -1: the driver is stopping. The reference is taken either way.
// Between the two steps the unload thread can announce itself, find no reference but its own, and
// free the device: the answer "go ahead" is out of date when the reference is taken.
static int IoIncrement(void) {
  int status = atomic_load(&stoppingFlag) ? -1 : 1;
  atomic_fetch_add(&pendingIO, 1);
  return status;
}

// Gives a reference back. When it was the last one, the unload thread may go on.
static void IoDecrement(void) {
  atomic_fetch_sub(&pendingIO, 1);
  if (atomic_load(&pendingIO) == 0)
    atomic_store(&stoppingEvent, true);
}

// One request; any number of them at a time.
void PnpAdd(void) {
  int status = IoIncrement();
  if (status > 0) {
    // The device is used here.
    assert(!stopped);
  }
  IoDecrement();
}

// Unloads the driver.
void PnpStop(void) {
  atomic_store(&stoppingFlag, true);
  IoDecrement();
  while (!atomic_load(&stoppingEvent)) {
    // The real driver sleeps here.
  }
  stopped = true;
}
