// expect: violates, line 12, step
// soundness: a copy of a copy
// contract: x.contract
#include <string.h>
int x = 0;

void T(void) {
  int from[3] = {5, 6, 7}, to[3] = {0};
  memcpy(to + 1, from, 2 * sizeof *to);
  x = 1;
  if (to[2] == 6)
    x = 7;
}
