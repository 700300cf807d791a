// expect: violates, line 18, step
// soundness: a local that a function leaves unset has any value, not the one that suits
// contract: x.contract
int x = 0;

int bus_ok(void);

static int read_reg(int *value) {
  if (!bus_ok())
    return -1;
  *value = 1;
  return 0;
}

void T(void) {
  int value;
  read_reg(&value);
  x = value;
}
