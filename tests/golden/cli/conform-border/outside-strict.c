// expect: unknown, line 9, never reached: outside-strict.c:9 a[local[2]] = 1
// soundness: --strict wants all code to be reached
// contract: outside.contract
// options: --strict
int a[4], x;
void T(void) {
  int local[3];
  local[2] = 4;
  a[local[2]] = 1;
  x = 7;
}
