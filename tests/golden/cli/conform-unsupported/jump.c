// expect: unknown, line 11, longjmp
// soundness: where it goes on is not seen
// contract: counter.contract
#include <setjmp.h>
#include <stdatomic.h>

atomic_int x;
jmp_buf back;

void worker(void) {
  longjmp(back, 1);
}
