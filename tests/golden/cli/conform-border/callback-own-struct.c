// expect: violates, line 11, step
// soundness: callbacks of a local structure get the structure itself
// contract: x.contract
int x = 0;
struct job {
  int done;
  void (*go)(struct job *);
  void (*stop)(struct job *);
};
static void stop(struct job *j) {
  x = 2;
}
static void go(struct job *j) {
  for (int i = 0; i < 3; ++i)
    j->done += i;
  if (j->done == 3)
    x = 1;
}

void T(void) {
  struct job a = {0, go, stop};
  a.go(&a);
  a.stop(&a);
}
