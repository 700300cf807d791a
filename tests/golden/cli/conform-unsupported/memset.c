// expect: unknown, line 9, is copied or set as a whole
// soundness: a fill is not one step
// contract: counter.contract
#include <string.h>

int x;

void worker(unsigned size) {
  memset(&x, 0, size);
}
