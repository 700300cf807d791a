// expect: conforms
// soundness: memory that is set as a whole is written
// contract: x.contract
// listed: irq (tests/golden/cli/conform-border/writer-memset.c:13) may write x
#include <string.h>
int x = 0;

void T(void) {
  x = 1;
}

void irq(void) {
  memset(&x, 7, sizeof x);
}
