// expect: unknown, inline assembly is not supported
// soundness: assembly that moves something may write a named variable
// contract: x.contract
int x = 0;

void T(void) {
  __asm__ volatile("nop; movl $7, x" ::: "memory");
  x = 1;
}
