// expect: conforms
// precision: a local that wraps below 0 is no store that does
// contract: any.contract
unsigned x = 1;
extern unsigned nd(void);
void T(void) {
  unsigned c = nd();
  c = c - 1;
  x = c;
}
