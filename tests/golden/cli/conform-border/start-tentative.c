// expect: conforms
// soundness: a tentative definition may be given a value elsewhere
// contract: x.contract
// listed: the initial value of x, set outside the given files
__attribute__((common)) int x;

void T(void) {
  x = 1;
}
