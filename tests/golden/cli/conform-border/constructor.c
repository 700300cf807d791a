// expect: conforms
// soundness: a constructor changes the start value
// contract: x.contract
// listed: the constructor init (tests/golden/cli/conform-border/constructor.c:8) may write x
int x = 0;

__attribute__((constructor)) static void init(void) {
  x = 5;
}

void T(void) {
  x = 1;
}
