// expect: conforms
// precision: an access outside of an unnamed array is named
// contract: x.contract
// listed: no out-of-bounds access happens here: tests/golden/cli/conform-local/outside.c:8 table[6] = 3
int x;
static int table[4];
void T(void) {
  table[6] = 3;
  x = 1;
}
