// expect: conforms
// precision: an array of variable length is local code
// contract: x.contract
int x = 0;
extern int size(void);

void T(void) {
  int n = size();
  if (n < 1 || n > 8)
    n = 1;
  int a[n];
  a[0] = 5;
  x = 1;
}
