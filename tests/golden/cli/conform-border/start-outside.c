// expect: conforms
// soundness: of a variable that is only declared, clang tells no type
// contract: start.contract
// listed: the type of x is not known (no debug information) and taken for signed
extern unsigned x;

void T(void) {
  (void)*(volatile unsigned *)&x;
}
