// expect: unknown, line 17, a call of the code's own memset, which has an assertion, made by the compiler
// soundness: the compiler makes a call of the code's own function of an initialiser
// contract: x.contract
#include <assert.h>
typedef __SIZE_TYPE__ size_t;
int x = 0;
extern int ready(void);

void *memset(void *to, int value, size_t n) {
  assert(ready());
  for (size_t i = 0; i < n; ++i)
    ((char *)to)[i] = (char)value;
  return to;
}

void T(void) {
  int a[100] = {0};
  x = 1 + a[0];
}
