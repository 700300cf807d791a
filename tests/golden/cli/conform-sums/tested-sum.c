// expect: conforms
// precision: the sum in the store itself is assumed to fit, whatever was tested before
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
void T(void) {
  unsigned h = nd();
  if (h + 1 < 5)
    x = h + 1;
  else
    x = 1;
}
