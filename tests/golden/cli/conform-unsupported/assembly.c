// expect: unknown, line 9, inline assembly
// soundness: assembly may do anything
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;

void worker(void) {
  __asm__ volatile("int $0x80" ::: "memory");
  atomic_fetch_add(&x, 1);
}
