// expect: violates, line 5, start
// soundness: a _Bool is never -1
// contract: start.contract
#include <stdbool.h>
bool x = -1;

void T(void) {}
