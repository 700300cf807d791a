// expect: unknown, line 10, jumps between functions
// soundness: setjmp returns twice
// contract: x.contract
#include <setjmp.h>
int x = 0;
static jmp_buf back;

void T(void) {
  x = 1;
  if (setjmp(back))
    x = 7;
}
