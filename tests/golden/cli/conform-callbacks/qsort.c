// expect: unknown, it may call by_size, which accesses 'x'
// soundness: qsort calls its argument
// contract: x.contract
#include <stdlib.h>
int x;
static int by_size(const void *a, const void *b) {
  x = 2;
  return *(const int *)a - *(const int *)b;
}
void T(void) {
  int a[2] = {2, 1};
  qsort(a, 2, sizeof a[0], by_size);
  x = 1;
}
