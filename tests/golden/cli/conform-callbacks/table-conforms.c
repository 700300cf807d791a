// expect: conforms
// precision: every entry of a table, and no other
// contract: x.contract
extern unsigned nd(void);
int x;
static void none(void) {}
static void one(void) { x = 1; }
static void two(void) { x = 2; }
static struct { int n; void (*f)(void); } table[] = {{0, none}, {1, one}, {2, two}};
void T(void) {
  unsigned i = nd() % 2;
  table[i].f();
  if (i == 0)
    x = 1;
}
