// expect: violates, step
// soundness: what a helper gets is a value of its own, also behind a sum that adds nothing
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
static void set(unsigned *p, unsigned c, unsigned more) { *p = c + more; }
void T(void) { set(&x, nd() + 1, 0); }
