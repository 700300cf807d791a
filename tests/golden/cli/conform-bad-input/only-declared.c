// expect: error, the code has no function 'worker'
// contract: counter.contract
int x;

void worker(void);

void other(void) { worker(); }
