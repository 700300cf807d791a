int x;

void worker(void) {
  //@ invariant x >= 0
  x = 3;
}
