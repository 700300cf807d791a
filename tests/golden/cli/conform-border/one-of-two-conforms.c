// expect: conforms
// precision: where the pointer leads to the variable, the contract allows the store
// contract: x.contract
int x = 0;
extern int choose(void);

void T(void) {
  int other = 0;
  int *p = choose() ? &other : &x;
  if (p == &other)
    other = 1;
  else
    other = 0;
  int named = choose() != 0;
  p = named ? &x : &other;
  *p = 1;
  if (!named)
    x = 1;
}
