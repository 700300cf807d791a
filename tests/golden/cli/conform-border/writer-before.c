// expect: conforms
// soundness: what runs before the threads may change the value with which the contract starts
// contract: x.contract
// listed: the initial value of x, which init (tests/golden/cli/conform-border/writer-before.c:9) may set before the threads start, is the one in the contract
int x = 0;
extern int start(void (*f)(void));

static void init(void) {
  x = 5;
}

void T(void) {
  x = 1;
}

int main(void) {
  init();
  return start(T);
}
