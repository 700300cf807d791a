// expect: conforms
// precision: on the way on which nobody gets the address the local keeps its value
// contract: x.contract
int x = 0;
extern int choose(void);
extern void keep(int *);

void T(void) {
  int l = 0;
  int chosen = choose();
  if (chosen)
    keep(&l);
  l = l & 1;
  x = 1;
  if (!chosen && l)
    x = 7;
}
