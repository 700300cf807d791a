// expect: unknown, line 8, not aligned
// soundness: an access that is not aligned may take two
// contract: x.contract
typedef int unaligned __attribute__((aligned(1)));
unaligned x = 0;

void T(void) {
  x = 1;
}
