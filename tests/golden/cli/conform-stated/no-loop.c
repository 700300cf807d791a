// expect: error, no loop follows this invariant
// contract: third.contract
int x;

void worker(void) {
  //@ invariant x >= 0
  x = 3;
}
