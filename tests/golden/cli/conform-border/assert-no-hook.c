// expect: conforms
// precision: a function that does not return is listed
// contract: x.contract
// listed: a call to board_halt ends the run and is not a failed assertion
extern void board_halt(int) __attribute__((noreturn));
#define CHECK(e) ((e) ? (void)0 : board_halt(__LINE__))
int x = 0;

void T(void) {
  x = 1;
  CHECK(x == 5);
}
