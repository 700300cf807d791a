// expect: conforms
// soundness: an access outside an array hides the code after it, which is said
// listed: never reached: outside.c:10 x = 7
#include <assert.h>
int a[4];
int x;
void T(void) {
  for (int i = 0; i <= 4; i++)
    a[i] = 1;
  x = 7;
  assert(0);
}
