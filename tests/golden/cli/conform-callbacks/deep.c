// expect: unknown, it may call outer, which accesses 'x'
// soundness: what the callback calls counts, also through a parameter
// contract: x.contract
#include <stdlib.h>
int x;
static void set(int *p) { *p = 7; }
static void outer(void) { set(&x); }
void T(void) {
  at_quick_exit(outer);
  x = 1;
}
