// expect: unknown, it may call poke, which accesses 'x'
// soundness: a function in a struct that is handed over by value
// contract: x.contract
struct ops { long n; void (*run)(void); };
extern void register_ops(struct ops);
int x;
static void poke(void) { x = 3; }
void T(void) {
  struct ops o = {1, poke};
  register_ops(o);
  x = 1;
}
