// expect: violates, line 8, step
// soundness: each element of a constant table is taken
// contract: x.contract
int x = 0;

void T(unsigned n) {
  static const unsigned char table[] = {1, 1, 1, 7};
  x = table[n & 3];
}
