// expect: unknown, line 9, is copied or set as a whole
// soundness: a copy is not one step
// contract: counter.contract
#include <string.h>

int x;

void worker(const int *from) {
  memcpy(&x, from, sizeof x);
}
