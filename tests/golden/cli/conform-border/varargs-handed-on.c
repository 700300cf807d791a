// expect: unknown, line 9, a violation depends on 'list', whose address escapes
// soundness: the list of arguments is handed on to a helper, and outside
// contract: x.contract
#include <stdarg.h>
#include <stdio.h>
int x = 0;

static void report(const char *text, va_list list) {
  int code = va_arg(list, int);
  vprintf(text, list);
  if (code > 3)
    x = 1;
}

static void note(const char *text, ...) {
  va_list list;
  va_start(list, text);
  report(text, list);
  x = 7;
  va_end(list);
}

void T(void) {
  note("set %d", 1);
}
