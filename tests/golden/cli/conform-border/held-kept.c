// expect: unknown, line 14, address escapes
// soundness: an external function keeps the pointer it got
// contract: x.contract
int x = 0;
static int *saved;
extern void remember(int **where, int *what);

void T(void) {
  int l;
  remember(&saved, &l);
  l = 0;
  *saved = 1;
  x = 1;
  if (l)
    x = 7;
}
