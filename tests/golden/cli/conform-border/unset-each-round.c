// expect: violates, line 13, step
// soundness: a local that was never set has another value in each round
// contract: x.contract
int x = 0;

void T(void) {
  int seen = 0;
  for (int i = 0; i < 2; i++) {
    int l;
    if (l)
      seen++;
  }
  x = seen == 1 ? 7 : 1;
}
