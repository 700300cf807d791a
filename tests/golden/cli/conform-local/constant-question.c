// expect: conforms
// precision: what is the same for constants and others needs no answer
// contract: x.contract
int x = 0;

#define bits(n) (__builtin_constant_p(n) ? ((n) < 2 ? 0 : 1) : (n) / 2 > 0)

void T(void) {
  int two = 2;
  x = bits(two);
}
