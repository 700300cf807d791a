// expect: violates, step
// soundness: x = ++c stores what the local holds
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
void T(void) {
  unsigned c = nd();
  x = ++c;
}
