// expect: unknown, line 16, address escapes
// soundness: numbers that are the bytes of an address publish it
// contract: x.contract
#include <string.h>
int x = 0;
extern void keep(long *);

void T(void) {
  int l = 0;
  int *p = &l;
  long bytes[2] = {0, 0};
  bytes[1] = 1;
  memcpy(bytes, &p, sizeof p);
  keep(bytes);
  x = 1;
  if (l)
    x = 7;
}
