// expect: conforms
// precision: to copy a structure of one integer is to copy the integer
// contract: wrapped.contract
struct cell {
  int v;
} cell[2];

extern struct cell get(void);
void T(void) {
  struct cell one = {1};
  cell[1] = one;
}
