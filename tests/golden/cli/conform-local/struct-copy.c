// expect: conforms
// precision: the copy of a struct is no call of a memcpy of the code's own
// contract: x.contract
#include <stddef.h>
int x;
struct big { int a[40]; };
void *memcpy(void *to, const void *from, size_t size) {
  x = 2;
  return to;
}
void T(void) {
  struct big b = {{1, 2}}, c;
  c = b;
  x = c.a[0] ? 1 : 1;
}
