// expect: error, not an integer of at most 64 bits
// contract: counter.contract
int *x;

void worker(void) { x = 0; }
