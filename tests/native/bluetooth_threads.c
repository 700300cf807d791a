// SPDX-License-Identifier: Apache-2.0
// The Bluetooth study with real threads: many rounds of one unload and three requests.
#include "../../drivers/bluetooth/bluetooth.c"

#include "threads.h"

static void *request(void *unused) {
  PnpAdd();
  return unused;
}

static void *unload(void *unused) {
  PnpStop();
  return unused;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    pendingIO = 1;
    stoppingFlag = stoppingEvent = stopped = false;
    together((Body[]){request, request, unload, request}, 4);
    assert(stopped && pendingIO == 0);
  }
  return 0;
}
