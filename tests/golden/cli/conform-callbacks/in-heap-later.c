// expect: unknown, it may call poke, which accesses 'x'
// soundness: allocated memory is known by two pointers that are loaded
// contract: x.contract
#include <stdlib.h>
struct ops { int n; void (*run)(void); };
extern void register_ops(const struct ops *);
int x;
static struct ops *current;
static void poke(void) { x = 3; }
void T(void) {
  current = malloc(sizeof *current);
  register_ops(current);
  current->run = poke;
  x = 1;
}
