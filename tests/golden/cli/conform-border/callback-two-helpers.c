// expect: violates, line 7, step
// soundness: the pointer goes through two helpers and a second struct
// contract: x.contract
int x = 0;

static void set7(void) {
  x = 7;
}

struct inner {
  void (*done)(void);
};

struct outer {
  int id;
  struct inner *in;
};

static void third(struct inner *in) { in->done(); }
static void second(struct outer *out) { third(out->in); }
static void first(void (*f)(void)) {
  struct inner in = {f};
  struct outer out = {1, &in};
  second(&out);
}

void T(void) {
  x = 1;
  first(set7);
}
