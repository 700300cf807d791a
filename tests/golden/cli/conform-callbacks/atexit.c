// expect: unknown, it may call last, which accesses 'x'
// soundness: atexit sees to it that the function is called
// contract: x.contract
#include <stdlib.h>
int x;
static void last(void) { x = 5; }
void T(void) {
  atexit(last);
  x = 1;
}
