// expect: conforms
// precision: a tree of calls is as long as what it does
// contract: x.contract
int x = 0;

static int f0(int n) { return n & 1; }
#define LEVEL(f, g) \
  static int f(int n) { return g(n) + g(n + 1); }
LEVEL(f1, f0)
LEVEL(f2, f1)
LEVEL(f3, f2)
LEVEL(f4, f3)
LEVEL(f5, f4)
LEVEL(f6, f5)
LEVEL(f7, f6)
LEVEL(f8, f7)
LEVEL(f9, f8)
LEVEL(f10, f9)
LEVEL(f11, f10)
LEVEL(f12, f11)

void T(void) {
  x = f12(0) >= 0 ? 1 : 1;
}
