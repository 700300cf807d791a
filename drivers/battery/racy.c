// expect: violates, line 59, step
// SPDX-License-Identifier: Apache-2.0
// Wrong: the worker counts down with a plain decrement, which is a load and a store. The removal
// counts up in between, and its request is lost.
#include <assert.h>
#include <stdbool.h>

// What a checker knows and a test harness provides: either value, waiting until the condition
// holds, and a section that nobody interrupts.
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

// Requests that the worker has not finished. Whoever raises it from zero must see to a worker.
long WorkerActive = 0;
// Work items that the kernel will start.
long NumQueuedWorkers = 0;
// References to the battery object: one of the driver, and one of the worker, also while it rests.
long InUseCount = 2;
// The battery is going away.
volatile bool WantToRemove = false;
// The last reference is gone.
volatile bool ReadyToRemove = false;
// The battery object is freed.
bool stopped = false;

// Gives a reference back, and wakes the unload thread if it was the last one. One step here: the
// signal commutes with all that others can do between the decrement and it.
static void DropReference(void) {
  __VERIFIER_atomic_begin();
  if (0 == --InUseCount)
    ReadyToRemove = true;
  __VERIFIER_atomic_end();
}

// The work item. It handles requests until none is left, or until the battery is removed.
void Worker(void) {
  unsigned long i;

  __VERIFIER_atomic_begin();
  __VERIFIER_assume(NumQueuedWorkers > 0);
  NumQueuedWorkers--;
  __VERIFIER_atomic_end();

  while (true) {
    assert(!stopped);
    if (WantToRemove) {
      DropReference();
      break;
    }
    if (__VERIFIER_nondet_bool()) {
      // A query that uses the battery object for a while.
      __sync_add_and_fetch(&InUseCount, 1);
      assert(!stopped);
      __sync_sub_and_fetch(&InUseCount, 1);
    }
    assert(!stopped);
    i = (unsigned long)--WorkerActive;
    if (0 == i)
      break;
    // More requests came in. One more round serves them all.
    if (1 != i) {
      assert(!stopped);
      WorkerActive = 1;
    }
  }
}

// Removes the battery.
void Unload(void) {
  assert(!stopped);
  WantToRemove = true;
  assert(!stopped);
  if (1 == __sync_add_and_fetch(&WorkerActive, 1)) {
    // No worker is active, and none will be: its reference is given back here, or a worker is
    // queued to do it.
    assert(!stopped);
    if (__VERIFIER_nondet_bool())
      DropReference();
    else
      __sync_add_and_fetch(&NumQueuedWorkers, 1);
  }
  assert(!stopped);
  if (0 < __sync_sub_and_fetch(&InUseCount, 1)) {
    assert(!stopped);
    __VERIFIER_assume(ReadyToRemove);
  }
  assert(!stopped);
  stopped = true;
}
