// expect: violates, line 8, step
// soundness: a constant table of functions
// contract: x.contract
int x = 0;

static void nothing(void) {}
static void set7(void) {
  x = 7;
}

struct ops {
  void (*open)(void);
  void (*close)(void);
};

static const struct ops ops = {nothing, set7};
static const struct ops *const driver[] = {&ops};

void T(void) {
  x = 1;
  driver[0]->open();
  driver[0]->close();
}
