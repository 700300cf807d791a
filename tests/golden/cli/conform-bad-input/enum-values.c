// expect: error, 'busy' is 4 in the contract and 1 in the code
enum Mode { idle, busy };
enum Mode mode;

void worker(void) { mode = busy; }
