// expect: conforms
// precision: a store through a pointer from outside hits no named variable
// contract: x.contract
// listed: what allocate returns is none of: x
int x = 0;
extern int *allocate(int size);

void T(void) {
  int *p = allocate(4);
  x = 1;
  *p = 7;
}
