// expect: conforms
// soundness: of a variable that is only declared, clang tells no type
// contract: start.contract
// listed: x is signed (there is no debug information about its type)
extern unsigned x;

void T(void) {
  (void)*(volatile unsigned *)&x;
}
