// expect: conforms
// precision: a local keeps its value as long as nobody can know its address
// contract: x.contract
int x = 0;
extern void keep(int *);

void T(void) {
  int l = 0, m[2] = {0, 1};
  l = m[1] - 1;
  if (l || m[0])
    x = 7;
  x = 1;
  keep(&l);
  keep(&m[1]);
}
