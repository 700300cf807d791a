// expect: unknown, line 12, address escapes
// soundness: who got the address in an earlier round changes the local in a later one
// contract: x.contract
int x = 0;
extern void keep(int *);

void T(void) {
  int l = 0;
  for (int i = 0; i < 2; i++) {
    if (i == 1)
      x = 1;
    if (i == 1 && l)
      x = 7;
    l = 0;
    if (i == 0)
      keep(&l);
  }
}
