// expect: conforms
// precision: each call of a function of an action is a step, before its body
// contract: action.contract
int x = 0;

void notify(void) { x = 1; }

void T(void) { notify(); }
