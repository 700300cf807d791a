// SPDX-License-Identifier: Apache-2.0
// The reference count with real threads: many rounds of the owner and three users.
#include "../../drivers/refcount/refcount.c"

#include "threads.h"

static void *use(void *unused) {
  User();
  return unused;
}

static void *own(void *unused) {
  Owner();
  return unused;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    count = 1;
    freed = false;
    together((Body[]){use, own, use, use}, 4);
    assert(freed && count == 0);
  }
  return 0;
}
