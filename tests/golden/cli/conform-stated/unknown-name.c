int x;

void worker(void) {
  int total = 0;
  //@ invariant totl % 3 == 0
  while (total < 30)
    total += 3;
  x = total;
}
