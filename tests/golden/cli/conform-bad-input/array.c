// expect: error, an array of 4 in the contract and an array of 3 in the code
int slot[3];

void worker(void) { slot[0] = 1; }
