// expect: unknown, line 9, which is volatile
// soundness: a volatile local has any value at each read
// contract: x.contract
int x = 0;

void T(void) {
  volatile int l = 0;
  x = 1;
  if (l)
    x = 7;
}
