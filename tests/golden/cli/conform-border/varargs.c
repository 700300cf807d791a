// expect: unknown, line 9, variable argument list
// soundness: a function that walks its arguments
// contract: x.contract
#include <stdarg.h>
int x = 0;

static int last(int n, ...) {
  va_list list;
  va_start(list, n);
  int value = va_arg(list, int);
  va_end(list);
  return value;
}

void T(void) { x = last(1, 1); }
