// expect: violates, start
// soundness: both are 0 when the program starts
int limit;
int x;

void worker(void) { x = 0; }
