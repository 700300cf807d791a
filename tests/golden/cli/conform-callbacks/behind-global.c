// expect: unknown, it may call poke, which accesses 'x'
// soundness: a global leads to the table that has the function
// contract: x.contract
struct ops { int n; void (*run)(void); };
extern void register_ops(const struct ops *);
int x;
static void poke(void) { x = 3; }
static struct ops table = {1, poke};
static struct ops *current = &table;
void T(void) {
  register_ops(current);
  x = 1;
}
