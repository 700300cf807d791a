// expect: violates, line 6, step
// soundness: the static variable of a function is named with its function
int x = 0;
static int count(void) {
  static int x;
  return x++;
}
void T(void) {
  x = 1;
  count();
}
