// expect: violates, step
// soundness: every entry of a table is followed
// contract: x.contract
extern unsigned nd(void);
int x;
static void none(void) {}
static void one(void) { x = 1; }
static void two(void) { x = 2; }
static void (*const table[])(void) = {none, one, two};
void T(void) { table[nd() % 3](); x = 1; }
