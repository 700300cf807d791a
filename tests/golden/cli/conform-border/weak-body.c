// expect: conforms
// precision: a weak default body is used and listed
// contract: x.contract
// listed: the weak function board_hook
int x = 0;
__attribute__((weak)) void board_hook(void) {}

void T(void) {
  x = 1;
  board_hook();
}
