// expect: conforms
// precision: a callback of a local structure gets the structure itself
// contract: x.contract
int x = 0;
struct job {
  int value;
  void (*go)(struct job *);
};
static void go(struct job *j) { x = j->value; }
static void init(struct job *j) {
  j->value = 1;
  j->go = go;
}

void T(void) {
  struct job a;
  init(&a);
  a.go(&a);
}
