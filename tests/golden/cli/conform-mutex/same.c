// expect: error, 'other' and 'lock' are the same object in the code
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void worker(void) { busy++; }
