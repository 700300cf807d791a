// expect: conforms
// precision: bit operations on two variables
// contract: x.contract
extern unsigned nd(void);
int x;
void T(void) {
  unsigned a = nd(), b = nd();
  unsigned c = (a & b) | (a ^ b);
  if (c == 12345)
    x = 1;
  else
    x = 1;
}
