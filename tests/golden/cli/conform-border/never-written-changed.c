// expect: violates, line 9, step
// soundness: nobody may write the variable
// contract: never-written.contract
#include <stdbool.h>
int x = 0;
int limit = 3;
bool on = false;

void T(void) { limit++; }
