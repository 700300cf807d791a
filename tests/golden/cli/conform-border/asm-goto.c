// expect: unknown, line 8, asm goto
// soundness: assembly that jumps
// contract: x.contract
int x = 0;

void T(void) {
  x = 1;
  asm goto("" : : : : out);
  x = 1;
out:
  return;
}
