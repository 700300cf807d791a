// expect: violates, line 21, step
// soundness: what a late callback does to a local
// contract: x.contract
int x = 0;

static void bump(int *p) { *p = 1; }

struct req {
  void (*complete)(int *);
};

static void finish(struct req *r, int *p) { r->complete(p); }

void T(void) {
  struct req r;
  int l = 0;
  r.complete = bump;
  x = 1;
  finish(&r, &l);
  if (l)
    x = 7;
}
