// expect: violates, line 5, start
// soundness: the largest unsigned number is not -1
// contract: start.contract
#include <stdint.h>
uint64_t x = UINT64_MAX;

void T(void) {}
