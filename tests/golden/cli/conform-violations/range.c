// expect: violates, line 6, range
// soundness: the edge allows any value of the type, and 7 is none
int x;

void worker(void) {
  x = 7;
}
