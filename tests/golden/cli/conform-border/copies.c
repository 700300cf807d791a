// expect: conforms
// precision: initialisers and copies of local arrays and structs are exact
// contract: x.contract
#include <string.h>
int x = 0;
struct pair {
  int first, second;
};

void T(void) {
  int from[3] = {5, 6, 7}, to[3];
  struct pair p = {1, 2}, q;
  memcpy(to, from, sizeof to);
  memmove(to, to + 1, 2 * sizeof *to);
  memset(&from, 0, sizeof from);
  q = p;
  for (int i = 0; i < 3; i++)
    if (from[i])
      x = 2;
  if (to[0] != 6 || to[1] != 7 || to[2] != 7 || q.second != 2)
    x = 3;
  x = 1;
}
