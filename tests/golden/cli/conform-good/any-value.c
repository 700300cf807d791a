// expect: conforms
// precision: the load goes unnoticed, the store may set anything
int x;

void worker(void) { x++; }
