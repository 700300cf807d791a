// expect: unknown, line 9, this pointer may reach 'x'
// soundness: the address of a named variable is a variable argument
// contract: x.contract
#include <stdarg.h>
int x = 0;
static void set(int n, ...) {
  va_list list;
  va_start(list, n);
  *va_arg(list, int *) = 7;
  va_end(list);
}

void T(void) {
  x = 1;
  set(1, &x);
}
