// expect: violates, line 7, range
// soundness: 3 is no value of the enum
enum Mode { idle, busy = 4 };
enum Mode mode;

void worker(void) {
  mode = 3;
}
