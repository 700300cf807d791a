// expect: error, the code has no global 'lock'
// contract: counter.contract
int busy;

void worker(void) { busy++; }
