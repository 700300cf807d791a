// expect: conforms
// precision: a function that walks its arguments takes any values
// contract: x.contract
#include <stdarg.h>
int x = 0;
int sum = 0;

static int last(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  va_copy(copy, list);
  int value = 0;
  for (int i = 0; i < n; ++i)
    value = va_arg(list, int);
  double d = va_arg(copy, double);
  va_end(copy);
  va_end(list);
  return value + (d > 1);
}

void T(void) {
  sum = last(2, 1, 2);
  x = 1;
}
