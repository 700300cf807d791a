// expect: conforms
// precision: a global is not confused with a static variable of a function
// contract: x.contract
int x = 0;
static int count(void) {
  static int x;
  return x++;
}
void T(void) {
  x = 1;
  count();
}
