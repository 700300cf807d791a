// expect: unknown, line 11, 'l', whose address escapes
// soundness: a callback may change what it is given
// contract: x.contract
#include <stdlib.h>
extern void walk(void (*)(void *), void *);
int x;
static void set(void *p) { *(int *)p = 2; }
void T(void) {
  int l = 1;
  walk(set, &l);
  x = l;
}
