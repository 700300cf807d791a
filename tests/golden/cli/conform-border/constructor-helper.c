// expect: conforms
// soundness: a constructor changes the start value through a helper of the thread
// contract: x.contract
// listed: set (tests/golden/cli/conform-border/constructor-helper.c:8), called by init
int x = 0;

static void set(int v) {
  x = v;
}

__attribute__((constructor)) static void init(void) {
  set(5);
}

void T(void) {
  set(1);
}
