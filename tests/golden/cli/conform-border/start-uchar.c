// expect: violates, line 4, start
// soundness: the largest unsigned number is not -1
// contract: start.contract
unsigned char x = 0xFF;

void T(void) {}
