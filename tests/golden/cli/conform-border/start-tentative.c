// expect: conforms
// soundness: a tentative definition may be given a value elsewhere
// contract: x.contract
// listed: the start value of x is set outside of the given files
__attribute__((common)) int x;

void T(void) {
  x = 1;
}
