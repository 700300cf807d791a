// expect: violates, line 9, assertion
// soundness: a trap that the compiler puts in
// contract: x.contract
// options: --clang-arg=-fsanitize=signed-integer-overflow --clang-arg=-fsanitize-trap=all
int x = 0;

void T(void) {
  x = 1;
  int sum = x + 2147483647;
  (void)sum;
}
