// expect: unsafe
// precision: it fails whatever strlen returns
// contract: itself.contract
// command: check
#include <assert.h>
#include <string.h>
int x = 0;
char text[8] = "abc";

void T(void) {
  x = (int)strlen(text);
  x = 1;
  assert(x == 2);
}
