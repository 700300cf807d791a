// expect: conforms
// precision: whatever strcmp and isdigit say; the buffer stays private
// contract: x.contract
#include <ctype.h>
#include <string.h>
int x = 0;

void T(void) {
  char text[4] = "abc";
  int ok = strcmp(text, "abd") < 0 || isdigit(text[0]);
  text[0] = 1;
  x = ok ? text[0] : 1;
}
