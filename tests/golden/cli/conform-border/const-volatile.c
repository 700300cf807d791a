// expect: violates, line 10, step
// soundness: a constant that the debugger or a linker patch changes
// contract: x.contract
int x = 0;
static const volatile int calibration = 0;

void T(void) {
  x = 1;
  if (calibration)
    x = 7;
}
