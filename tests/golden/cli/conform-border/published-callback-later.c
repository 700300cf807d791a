// expect: unknown, line 15, it may call bump
// soundness: what was stored before the address escapes can be called afterwards
// contract: x.contract
int x = 0;
struct request {
  int number;
  void (*done)(void);
};
extern void submit(int *);
static void bump(void) { x = 7; }

void T(void) {
  struct request r = {0, bump};
  r.number = 0;
  submit(&r.number);
  x = 1;
}
