// expect: conforms
// precision: products, quotients, shifts by variables and floating point
// contract: x.contract
extern int nd(void);
int x;
void T(void) {
  int a = nd() & 15, b = (nd() & 15) + 1;
  double d = a * 0.5;
  int c = a * b ^ a / b ^ a % b ^ (a << (b & 7)) ^ (a >> (b & 7)) ^ (int)d ^ __builtin_popcount(a);
  if (c > 7 && d < 3.0)
    x = 1;
  else
    x = 1;
}
