// expect: unknown, line 10, a violation depends on 'variable arguments'
// soundness: what is taken from variable arguments is any value
// contract: x.contract
#include <stdarg.h>
int x = 0;

static int first(int n, ...) {
  va_list list;
  va_start(list, n);
  int value = va_arg(list, int);
  va_end(list);
  return value;
}

void T(void) { x = first(1, 2); }
