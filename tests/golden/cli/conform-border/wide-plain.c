// expect: unknown, line 8, wider than a pointer
// soundness: two stores on a machine of 32 bits
// contract: wide.contract
// options: --clang-arg=-m32
unsigned long long x = 0;

void T(void) {
  x = 0x100000001ull;
}
