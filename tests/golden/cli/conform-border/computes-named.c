// expect: unknown, line 9, memcmp reads memory that may hold 'x'
// soundness: a read of a named variable is a step
// contract: x.contract
#include <string.h>
int x = 0;
int zero = 0;

void T(void) {
  if (memcmp(&x, &zero, sizeof x) == 0)
    x = 1;
}
