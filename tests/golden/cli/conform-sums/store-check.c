// expect: violates, overflow
// soundness: the sum in the store itself is an obligation under --overflow check
// contract: any.contract
// options: --overflow check
unsigned x = 1;
extern unsigned nd(void);
void T(void) {
  unsigned c = nd();
  if (c + 1 != 7)
    x = c + 1;
  else
    x = 7;
}
