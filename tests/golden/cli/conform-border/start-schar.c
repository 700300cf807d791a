// expect: conforms
// precision: 0xFF is -1 in a signed char
// contract: start.contract
signed char x = (signed char)0xFF;

void T(void) {}
