// expect: conforms
// precision: a load and a store in an atomic section are one step
// contract: counter.contract
int x;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void worker(void) {
  __VERIFIER_atomic_begin();
  x = x + 1;
  __VERIFIER_atomic_end();
}
