// expect: conforms
// precision: the thread gets the address of something else
// contract: x.contract
// listed: what a parameter of the thread points to is none of: x
int x = 0;
int y = 0;

void T(int *p) {
  x = 1;
  *p = 7;
}

int main(void) {
  T(&y);
  return 0;
}
