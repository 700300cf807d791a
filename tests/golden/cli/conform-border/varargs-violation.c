// expect: violates, line 10, step
// soundness: a function with variable arguments is followed
// contract: x.contract
#include <stdarg.h>
int x = 0;

static void note(const char *text, ...) {
  va_list list;
  va_start(list, text);
  x = 7;
  va_end(list);
}

void T(void) {
  x = 1;
  note("set %d", 1);
}
