// expect: conforms
// precision: a local buffer that is set and handed out
// contract: x.contract
int x = 0;
extern void send(const char *b, unsigned n);

void T(void) {
  char buf[64] = {0};
  x = 1;
  send(buf, sizeof buf);
}
