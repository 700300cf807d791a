// expect: violates, line 12, step
// precision: behind a violation that depends on what is not modelled, one that does not is found
// contract: x.contract
extern int nd(void);
int x;
int table[4];
void T(void) {
  if (nd()) {
    if (table[1] == 7)
      x = 2;
  } else if (nd()) {
    x = 3;
  }
  x = 1;
}
