// expect: unknown, it may call poke, which accesses 'x'
// soundness: one of several functions is handed over
// contract: x.contract
extern int nd(void);
extern void later(void (*)(void));
int x;
static void quiet(void) {}
static void poke(void) { x = 3; }
void T(void) {
  later(nd() ? quiet : poke);
  x = 1;
}
