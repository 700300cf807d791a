// expect: unknown, line 11, address escapes
// soundness: the address of an element of a local array is published
// contract: x.contract
int x = 0;
static int *slot;

void T(void) {
  int a[4] = {0, 0, 0, 0};
  slot = &a[2];
  x = 1;
  if (a[2])
    x = 7;
}
