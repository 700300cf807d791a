// expect: conforms
// precision: what a local holds fits its type, under --overflow check as well
// contract: any.contract
// options: --overflow check
unsigned x = 1;
extern unsigned nd(void);
void T(void) {
  unsigned c = nd();
  c = c + 1;
  if (c == 0)
    x = c;
  else
    x = c;
}
