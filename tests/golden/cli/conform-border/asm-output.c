// expect: unknown, line 8, inline assembly
// soundness: what assembly computes is any value
// contract: x.contract
int x = 0;

void T(void) {
  int l = 0;
  asm("" : "+r"(l));
  x = 1;
  if (l)
    x = 7;
}
