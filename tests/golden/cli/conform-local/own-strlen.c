// expect: violates, step
// soundness: a strlen of the code's own is followed, although clang knows the answer
// contract: x.contract
#include <stddef.h>
int x;
size_t strlen(const char *s) {
  x = 2;
  return 0;
}
void T(void) {
  size_t n = strlen("text");
  x = 1;
}
