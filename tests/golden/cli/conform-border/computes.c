// expect: unknown, line 10, what strlen returns
// soundness: the length of a text is not just any number
// contract: x.contract
#include <string.h>
int x = 0;

void T(void) {
  char text[4] = "abc";
  x = 1;
  if (strlen(text) == 7)
    x = 7;
}
