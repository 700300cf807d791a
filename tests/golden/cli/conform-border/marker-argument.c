// expect: unknown, line 8, understudy_at does not fit
// precision: a marker without its state
// contract: x.contract
void understudy_at();
int x = 0;

void T(void) {
  understudy_at();
  x = 1;
}
