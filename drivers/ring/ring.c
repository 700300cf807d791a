// SPDX-License-Identifier: Apache-2.0
// Received bytes on their way from the interrupt routine of a serial port to a reader, without a
// lock; ring.contract has the protocol.
#include <assert.h>
#include <stdatomic.h>
#include <understudy.h>

#define SIZE 4

// The port's data register, and what becomes of a byte.
extern unsigned char read_data_register(void);
extern void deliver(unsigned char byte);

// The next slot to fill. Only Receive moves it.
atomic_uint head = 0;
// The next slot to empty. Only Reader moves it. Equal to head: the ring is empty, so that one slot
// always stays unused.
atomic_uint tail = 0;
// The bytes from tail to head are the reader's, the others the interrupt routine's.
static unsigned char slots[SIZE];
// Bytes that found no room.
unsigned long overruns = 0;

// The interrupt routine: the port has received a byte. It never runs twice at a time.
void Receive(void) {
  unsigned char byte = read_data_register();
  unsigned slot = atomic_load(&head);
  unsigned next = (slot + 1) % SIZE;
  if (next == atomic_load(&tail)) {
    overruns++;
    return;
  }
  UNDERSTUDY_AT(Storing);
  slots[slot] = byte;
  // The reader makes room, never the opposite.
  assert(atomic_load(&tail) != next);
  // Only now may the reader look at the slot.
  atomic_store(&head, next);
}

// The reader's thread.
void Reader(void) {
  for (;;) {
    unsigned slot = atomic_load(&tail);
    while (atomic_load(&head) == slot) {
      // Nothing there; the real driver sleeps here.
    }
    UNDERSTUDY_AT(Taking);
    unsigned char byte = slots[slot];
    // The interrupt routine stores at head: it was not storing here.
    assert(atomic_load(&head) != slot);
    // Only now may the slot be filled again.
    atomic_store(&tail, (slot + 1) % SIZE);
    deliver(byte);
  }
}
