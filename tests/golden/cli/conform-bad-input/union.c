// expect: error, not an integer of at most 64 bits
// contract: counter.contract
union word {
  int whole;
  short half[2];
} x;

void worker(void) { x.whole = 1; }
