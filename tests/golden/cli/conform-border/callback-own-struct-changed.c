// expect: violates, line 10, step
// soundness: a callback puts another one in its place
// contract: x.contract
int x = 0;
struct job {
  void (*go)(struct job *);
};

static void second(struct job *j) {
  x = 7;
}
static void first(struct job *j) {
  x = 1;
  j->go = second;
}

void T(void) {
  struct job a = {first};
  a.go(&a);
  a.go(&a);
}
