// expect: violates, step
// soundness: a memset of the code's own is followed
// contract: x.contract
#include <stddef.h>
int x;
void *memset(void *to, int byte, size_t size) {
  x = 2;
  return to;
}
void T(void) {
  char a[4];
  memset(a, 0, sizeof a);
  x = 1;
}
