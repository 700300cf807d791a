// expect: error, use of undeclared identifier
// contract: counter.contract
int x;

void worker(void) { y = 1; }
