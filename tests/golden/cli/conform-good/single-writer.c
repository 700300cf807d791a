// expect: conforms
// precision: the rely keeps x between the load and the store
int x;

void worker(void) { x++; }
