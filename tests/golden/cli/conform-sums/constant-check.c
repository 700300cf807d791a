// expect: violates, line 9, overflow
// soundness: with a check, a sum of constants that exceeds the type is found
// contract: any.contract
// options: --overflow check
unsigned char x = 1;

void T(void) {
  unsigned char c = 255;
  x = c + 2;
}
