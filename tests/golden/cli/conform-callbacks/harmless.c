// expect: conforms
// precision: a callback that touches nothing named and asserts nothing
// contract: x.contract
// listed: qsort performs no thread operation, calls back only by_size and writes no named
#include <stdlib.h>
int x;
static int calls;
static int by_size(const void *a, const void *b) {
  ++calls;
  return *(const int *)a - *(const int *)b;
}
void T(void) {
  int a[2] = {2, 1};
  qsort(a, 2, sizeof a[0], by_size);
  x = 1;
}
