// expect: conforms
// precision: an array of structures of one integer
// contract: wrapped.contract
struct cell {
  int v;
} cell[2];

void T(void) {
  cell[1].v = 1;
}
