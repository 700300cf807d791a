// expect: unknown, line 16, not tracked exactly
// soundness: a local union that is written by one member and read by another
// contract: x.contract
int x = 0;
extern int choose(void);

union word {
  int whole;
  short half[2];
};

void T(void) {
  union word w = {0};
  w.half[choose() & 1] = 1;
  x = 1;
  if (w.whole)
    x = 7;
}
