// SPDX-License-Identifier: Apache-2.0
// The ring with real threads: bytes must come out in the order in which they were stored.
#include "../../drivers/ring/ring.c"

#include "threads.h"

#define BYTES (10 * ROUNDS)

static unsigned char next_byte, expected;
static int delivered;

unsigned char read_data_register(void) { return next_byte; }

void deliver(unsigned char byte) {
  assert(byte == expected);
  expected++;
  if (++delivered == BYTES)
    pthread_exit(NULL);
}

// A byte that was dropped comes again.
static void *receive(void *unused) {
  for (int stored = 0; stored < BYTES;) {
    unsigned long dropped = overruns;
    Receive();
    if (overruns == dropped) {
      next_byte++;
      stored++;
    }
  }
  return unused;
}

static void *read_all(void *unused) {
  Reader();
  return unused;
}

int main(void) {
  together((Body[]){receive, read_all}, 2);
  assert(delivered == BYTES);
  return 0;
}
