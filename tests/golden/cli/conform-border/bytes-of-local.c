// expect: violates, line 12, step
// soundness: a local is written byte by byte
// contract: x.contract
int x = 0;

void T(void) {
  int l = 0;
  unsigned char *bytes = (unsigned char *)&l;
  bytes[1] = 1;
  x = 1;
  if (l == 256)
    x = 7;
}
