// expect: violates, line 17, step
// soundness: signs of shifts, remainders, bit-fields and small types
// contract: x.contract
int x = 0;

struct bits {
  int two : 2;
};

void T(void) {
  struct bits b = {0};
  signed char c = (signed char)200;
  int n = -7;
  b.two = 3;
  x = 1;
  if (n % 5 == -2 && n >> 1 == -4 && n / 2 == -3 && b.two == -1 && c == -56)
    x = 7;
}
