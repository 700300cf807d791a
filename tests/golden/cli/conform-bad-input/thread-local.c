// expect: error, thread-local
// contract: counter.contract
_Thread_local int x;

void worker(void) { x = 1; }
