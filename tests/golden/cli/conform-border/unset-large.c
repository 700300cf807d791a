// expect: violates, line 18, step
// soundness: an element of a larger local that a function leaves unset
// contract: x.contract
int x = 0;

int bus_ok(void);

static int read_regs(int *values) {
  if (!bus_ok())
    return -1;
  values[7] = 1;
  return 0;
}

void T(void) {
  int values[32];
  read_regs(values);
  x = values[7];
}
