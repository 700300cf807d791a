// expect: violates, line 7, step
// soundness: a callback that is resolved only when its caller is inlined
// contract: x.contract
int x = 0;

static void set7(void) {
  x = 7;
}

struct req {
  void (*complete)(void);
  int status;
};

static void finish(struct req *r) { r->complete(); }

void T(void) {
  struct req r;
  r.status = 0;
  r.complete = set7;
  x = 1;
  finish(&r);
}
