// expect: error, not an integer of at most 64 bits
// contract: counter.contract
float x;

void worker(void) { x = 1; }
