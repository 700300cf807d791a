// expect: error, did you mean 'stoping'?
#include <stdbool.h>

bool stoping;

void worker(void) { stoping = true; }
