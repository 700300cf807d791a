// expect: conforms
// soundness: who gets the address of a variable may write it
// contract: x.contract
// listed: setup (tests/golden/cli/conform-border/writer-external.c:13) passes the address of x to device_fill
extern void device_fill(int *p);
int x = 0;

void T(void) {
  x = 1;
}

void setup(void) {
  device_fill(&x);
}
