// expect: conforms
// soundness: a function of a table can be called by others
// contract: x.contract
// listed: set (tests/golden/cli/conform-border/writer-table.c:8), whose address escapes, may write x
int x = 0;

static void set(int v) {
  x = v;
}

void (*const handlers[])(int) = {set};

void T(void) {
  set(1);
}
