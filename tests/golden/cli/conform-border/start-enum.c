// expect: conforms
// precision: an enum with a negative enumerator is signed
// contract: start.contract
enum mode { Gone = -1, On } x = Gone;

void T(void) {}
