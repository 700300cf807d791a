// expect: error, the files do not link
// contract: counter.contract
// files: duplicate-part.c
int x;

void worker(void) { x = 1; }
