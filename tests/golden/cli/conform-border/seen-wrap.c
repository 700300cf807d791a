// expect: violates, line 11, step
// soundness: a local that wrapped and was tested is stored as it is
// contract: seen-wrap.contract
#include <assert.h>
unsigned x = 1;
extern unsigned nd(void);
void T(void) {
  unsigned c = nd();
  c = c + 1;
  if (c == 0) {
    x = c;
    assert(0);
  } else
    x = 1;
}
void U(void) { assert(x >= 1); }
