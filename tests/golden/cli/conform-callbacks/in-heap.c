// expect: unknown, line 11, it may call poke, which accesses 'x'
// soundness: a function in allocated memory whose address is handed over
// contract: x.contract
#include <stdlib.h>
struct ops { int n; void (*run)(void); };
extern void register_ops(const struct ops *);
int x;
static void poke(void) { x = 3; }
void T(void) {
  struct ops *o = malloc(sizeof *o);
  if (o) { o->run = poke; register_ops(o); }
  x = 1;
}
