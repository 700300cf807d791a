// expect: unknown, it may call poke, which accesses 'x'
// soundness: a function whose address is handed over as a number
// contract: x.contract
extern void register_number(unsigned long);
int x;
static void poke(void) { x = 3; }
void T(void) {
  register_number((unsigned long)poke | 1);
  x = 1;
}
