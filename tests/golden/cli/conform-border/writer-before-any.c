// expect: conforms
// precision: the contract starts with any value
// contract: start-any.contract
// listed: init (tests/golden/cli/conform-border/writer-before-any.c:9) may write x but does not run concurrently with the system
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
