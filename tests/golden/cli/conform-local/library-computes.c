// expect: unknown, line 9, a violation depends on what ffs returns
// precision: what a function of the library computes is not any value
// contract: x.contract
#include <arpa/inet.h>
#include <strings.h>
int x = 0;

void T(void) {
  x = ffs(8) == 4 && ntohl(0) == 0 ? 1 : 2;
}
