// expect: violates, step
// soundness: both functions of a choice are followed
// contract: x.contract
extern int nd(void);
int x;
static void one(void) { x = 1; }
static void two(void) { x = 2; }
void T(void) { (nd() ? one : two)(); }
