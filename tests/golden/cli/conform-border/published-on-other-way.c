// expect: unknown, line 14, 'l', whose address escapes
// soundness: what is written after the address was published may change again
// contract: x.contract
int x = 0;
extern int choose(void);
extern void keep(int *);

void T(void) {
  int l = 1;
  if (choose())
    keep(&l);
  l = 0;
  x = 1;
  if (l)
    x = 7;
}
