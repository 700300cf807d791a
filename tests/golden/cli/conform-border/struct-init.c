// expect: conforms
// precision: a local struct that is set and handed out
// contract: x.contract
int x = 0;
struct msg {
  int op, len;
  char data[16];
};
extern void send(const struct msg *m);

void T(void) {
  struct msg m = {0};
  m.op = 3;
  m.len = 2;
  x = 1;
  send(&m);
}
