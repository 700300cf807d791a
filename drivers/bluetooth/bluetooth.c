// SPDX-License-Identifier: Apache-2.0
// Unloading a Bluetooth driver while requests are being worked on; bluetooth.contract has the
// protocol.
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
static int IoIncrement(void) {
  atomic_fetch_add(&pendingIO, 1);
  if (atomic_load(&stoppingFlag))
    return -1;
  return 1;
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
