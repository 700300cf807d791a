// expect: violates, step
// soundness: a memcpy of the code's own is followed
// contract: x.contract
#include <stddef.h>
int x;
struct big { int a[4]; };
void *memcpy(void *to, const void *from, size_t size) {
  x = 2;
  return to;
}
void T(void) {
  struct big b = {{1, 2}}, c;
  memcpy(&c, &b, sizeof c);
  x = 1;
}
