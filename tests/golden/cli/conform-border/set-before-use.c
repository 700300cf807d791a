// expect: conforms
// precision: a local that is set on every way on which it is read
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
  if (read_reg(&value) < 0)
    value = 1;
  x = value;
}
