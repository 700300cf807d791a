// expect: error, did you mean 'Worker'?
// contract: counter.contract
int x;

void Worker(void) { x = 1; }
