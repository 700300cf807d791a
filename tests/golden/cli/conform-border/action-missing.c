// expect: violates, line 9, step
// soundness: the store comes without the call
// contract: action.contract
int x = 0;

void notify(void) {}

void T(void) {
  x = 1;
  notify();
}
