// expect: violates, line 12, step
// soundness: a local declared in a loop has any value in each round
// contract: x.contract
int x = 0;

void T(void) {
  for (int i = 0; i < 2; i++) {
    int value;
    if (i == 0)
      value = 1;
    if (i == 1)
      x = value;
  }
}
