// expect: unknown, 'g', which the contract
// soundness: x = (g += 2) stores what g holds
// contract: least.contract
extern unsigned nd(void);
_Atomic unsigned g;
unsigned x = 1;
void T(void) { x = (g += 2); }
