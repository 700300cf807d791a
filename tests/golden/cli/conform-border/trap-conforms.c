// expect: conforms
// precision: a trap that no run gets to
// contract: x.contract
#define ASSERT(c) ((c) ? (void)0 : __builtin_trap())
int x = 0;

void T(void) {
  x = 1;
  ASSERT(x == 1);
}
