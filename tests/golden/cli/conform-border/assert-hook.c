// expect: violates, line 11, assertion
// soundness: a hook that the user names
// contract: x.contract
// options: --assert-hook board_halt
extern void board_halt(int) __attribute__((noreturn));
#define CHECK(e) ((e) ? (void)0 : board_halt(__LINE__))
int x = 0;

void T(void) {
  x = 1;
  CHECK(x == 5);
}
