// expect: error, is bound to an object that is not an integer
// contract: wrapped.contract
union cell {
  int v;
  float f;
} cell[2];

void T(void) {
  cell[1].v = 1;
}
