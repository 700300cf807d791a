// expect: error, did you mean 'board_halt'?
// soundness: 
// contract: x.contract
// options: --assert-hook board_hallt
extern void board_halt(int) __attribute__((noreturn));
#define CHECK(e) ((e) ? (void)0 : board_halt(__LINE__))
int x = 0;

void T(void) {
  x = 1;
  CHECK(x == 5);
}
