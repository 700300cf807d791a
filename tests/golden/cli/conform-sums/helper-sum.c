// expect: violates, step
// soundness: what a helper returns is a value of its own
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
static unsigned next(unsigned c) { return c + 1; }
void T(void) { x = next(nd()); }
