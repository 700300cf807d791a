// expect: conforms
// precision: an atomic store is indivisible, whatever its width
// contract: wide.contract
// options: --clang-arg=-m32
_Atomic unsigned long long x = 0;

void T(void) {
  x = 0x100000001ull;
}
