// expect: violates, line 7, step
// soundness: a cleanup function runs at the end of the block
// contract: x.contract
int x = 0;

static void at_end(int *p) {
  x = 7;
}

void T(void) {
  __attribute__((cleanup(at_end))) int l = 0;
  x = 1;
}
