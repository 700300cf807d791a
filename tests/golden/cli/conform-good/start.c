// expect: conforms
// precision: static initialisers agree, also that of 0
int limit = 3;
int x;

void worker(void) { x = 0; }
