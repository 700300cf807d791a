// expect: conforms
// precision: compare-exchange with a sum in it
// contract: grows.contract
unsigned x = 1;
void T(void) {
  unsigned old = __atomic_load_n(&x, 5);
  while (!__atomic_compare_exchange_n(&x, &old, old + 1, 0, 5, 5))
    ;
}
