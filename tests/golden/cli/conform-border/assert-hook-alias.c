// expect: violates, line 12, assertion
// soundness: a hook that is another name of a function
// contract: x.contract
// options: --assert-hook board_halt
void stop(int line) {}
void board_halt(int) __attribute__((alias("stop")));
int x = 0;

void T(void) {
  x = 1;
  stop(1);
  if (x != 5) board_halt(__LINE__);
}
