// expect: violates, step
// soundness: a small signed local is cut
// contract: least.contract
extern signed char nd(void);
signed char x = 1;
void T(void) {
  signed char c = nd();
  if (c < 0)
    c = 0;
  c = c + 1;
  x = c;
}
