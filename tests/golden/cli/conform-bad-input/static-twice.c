// expect: error, several globals 'x'
// contract: counter.contract
// files: static-twice-part.c
static int x;

void worker(void) { x = 1; }
