// expect: unknown, it may call poke, which accesses 'x'
// soundness: a function in a constant that is handed over
// contract: x.contract
struct ops { int n; void (*run)(void); };
extern void register_ops(const struct ops *);
int x;
static void poke(void) { x = 3; }
static const struct ops o = {1, poke};
void T(void) {
  register_ops(&o);
  x = 1;
}
