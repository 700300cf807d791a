// expect: unknown, line 8, inline assembly
// soundness: assembly with a named variable
// contract: x.contract
int x = 0;

void T(void) {
  x = 1;
  asm("" : "+m"(x));
}
