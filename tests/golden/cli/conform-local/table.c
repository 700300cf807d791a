// expect: conforms
// precision: an element of a constant table is one of its values
// contract: x.contract
int x = 0;

void T(unsigned n) {
  static const struct {
    char unit;
    int step;
  } table[] = {{'a', 1}, {'b', 1}, {'c', 1}, {'d', 1}};
  x = table[n & 3].step;
}
