// expect: conforms
// precision: an atomic section is indivisible
// contract: wide.contract
// options: --clang-arg=-m32
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned long long x = 0;

void T(void) {
  __VERIFIER_atomic_begin();
  x = 0x100000001ull;
  __VERIFIER_atomic_end();
}
