// expect: violates, step
// precision: numbers of a few bits are taken apart
// contract: x.contract
extern unsigned nd(void);
int x;
void T(void) {
  unsigned a = nd() & 6, b = nd();
  if ((a & b) == 4 && (a ^ b) == 3)
    x = 2;
  else
    x = 1;
}
