// expect: conforms
// precision: both functions of a choice are followed, each under its condition
// contract: x.contract
extern int nd(void);
int x;
static int one(int v) { x = v; return 0; }
static int same(int v) { return v; }
void T(void) {
  int c = nd();
  int (*f)(int) = c ? one : same;
  int r = f(1);
  if (!c)
    x = r;
}
