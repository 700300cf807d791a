// expect: unknown, line 8, wider than a pointer
// soundness: volatile is not indivisible
// contract: wide.contract
// options: --clang-arg=-m32
volatile unsigned long long x = 0;

void T(void) {
  x = 0x100000001ull;
}
