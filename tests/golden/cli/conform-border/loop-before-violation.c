// expect: violates, line 10, step
// precision: a violation behind a local loop of a hundred rounds
// contract: x.contract
int x = 0;
void T(void) {
  int s = 0;
  for (int i = 0; i < 100; ++i)
    s += i;
  x = 1;
  x = s;
}
