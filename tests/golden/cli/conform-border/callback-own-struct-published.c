// expect: unknown, line 17, pointer
// soundness: others know the structure, and may have changed its callback
// contract: x.contract
int x = 0;
struct job {
  void (*go)(struct job *);
};
struct job *known;

static void go(struct job *j) {
  x = 1;
}

void T(void) {
  struct job a = {go};
  known = &a;
  a.go(&a);
}
