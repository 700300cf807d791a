// expect: violates, line 9, assertion
// soundness: an assertion that ends in a trap
// contract: x.contract
#define BUG_ON(c) do { if (c) __builtin_trap(); } while (0)
int x = 0;

void T(void) {
  x = 1;
  BUG_ON(x != 5);
}
