// expect: error, not an integer of at most 64 bits
// contract: counter.contract
struct pair {
  int a, b;
} x;

void worker(void) { x.a = 1; }
