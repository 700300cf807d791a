// expect: conforms
// precision: numbers of a few bits are taken apart
// contract: x.contract
extern unsigned nd(void);
int x;
void T(void) {
  unsigned a = nd() & 6, b = nd() & 1;
  if ((a & b) != 0 || (a | b) != a + b || (a ^ b) > 7)
    x = 2;
  else
    x = 1;
}
