// expect: unknown, a call through a function pointer
// soundness: a table that somebody writes is no constant
// contract: x.contract
extern unsigned nd(void);
int x;
static void one(void) { x = 1; }
static void two(void) { x = 2; }
static void (*table[])(void) = {one, one};
void change(void) { table[1] = two; }
void T(void) { table[nd() % 2](); }
