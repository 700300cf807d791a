// expect: violates, line 7, step
// soundness: x++ is a load and a store, and the other workers count in between
// contract: counter.contract
int x;

void worker(void) {
  x++;
}
