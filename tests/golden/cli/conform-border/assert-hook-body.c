// expect: violates, line 15, assertion
// soundness: a hook with a body
// contract: x.contract
// options: --assert-hook fatal
int x = 0;

static void fatal(void) {
  for (;;)
    ;
}

void T(void) {
  x = 1;
  if (x != 5)
    fatal();
}
