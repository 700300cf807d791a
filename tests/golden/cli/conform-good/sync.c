// expect: conforms
// precision: the __sync functions are one step, too
// contract: counter.contract
int x;

void worker(void) { __sync_fetch_and_add(&x, 1); }
