// expect: error, use '==' to compare
// contract: third.contract
int x;

void worker(void) {
  int total = 0;
  //@ invariant total % 3 = 0
  while (total < 30)
    total += 3;
  x = total;
}
