// expect: conforms
// precision: signed arithmetic does not wrap: undefined behaviour is assumed absent
// contract: least.contract
extern int nd(void);
int x = 1;
void T(void) {
  int c = nd();
  if (c < 0)
    c = 0;
  c = c + 1;
  x = c;
}
