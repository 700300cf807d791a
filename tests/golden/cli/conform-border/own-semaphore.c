// expect: conforms
// precision: a function that only begins like one of the library
// contract: x.contract
int x = 0;

static void sem_bump(void) { x = 1; }

void T(void) { sem_bump(); }
