// expect: violates, step
// soundness: compare-exchange with a local that wrapped
// contract: grows.contract
unsigned x = 1;
void T(void) {
  unsigned old = __atomic_load_n(&x, 5);
  unsigned next;
  do
    next = old + 1;
  while (!__atomic_compare_exchange_n(&x, &old, next, 0, 5, 5));
}
