// expect: conforms
// precision: a constant is a constant
// contract: x.contract
int x = 0;
static const int table[2] = {0, 1};

void T(void) {
  x = 1;
  if (table[0])
    x = 7;
}
