// expect: violates, line 7, step
// soundness: abort of the code, not of the library
// contract: x.contract
int x = 0;

void abort(void) {
  x = 7;
  for (;;)
    ;
}

void T(void) {
  x = 1;
  abort();
}
