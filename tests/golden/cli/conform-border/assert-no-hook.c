// expect: conforms
// precision: a function that does not return is listed
// contract: x.contract
// listed: a call of board_halt ends the run and is no failed assertion
extern void board_halt(int) __attribute__((noreturn));
#define CHECK(e) ((e) ? (void)0 : board_halt(__LINE__))
int x = 0;

void T(void) {
  x = 1;
  CHECK(x == 5);
}
