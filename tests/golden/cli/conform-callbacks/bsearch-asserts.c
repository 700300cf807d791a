// expect: unknown, it may call same, which has an assertion
// soundness: so does bsearch; assertions in the callback count
// contract: x.contract
#include <assert.h>
#include <stdlib.h>
int x;
static int same(const void *a, const void *b) {
  assert(a != b);
  return 0;
}
void T(void) {
  int a[2] = {2, 1}, key = 1;
  (void)bsearch(&key, a, 2, sizeof a[0], same);
  x = 1;
}
