// expect: error, did you mean 'total'?
// contract: third.contract
int x;

void worker(void) {
  int total = 0;
  //@ invariant totl % 3 == 0
  while (total < 30)
    total += 3;
  x = total;
}
