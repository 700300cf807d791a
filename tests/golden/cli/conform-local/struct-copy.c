// expect: unknown, line 13, a call of the code's own memcpy, which accesses 'x', made by the compiler
// soundness: the copy of a large struct becomes a call of memcpy, which is that of the code
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
