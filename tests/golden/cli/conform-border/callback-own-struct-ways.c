// expect: unknown, line 23, pointer
// soundness: which callback it is depends on the way, and the structure is known to neither
// contract: x.contract
int x = 0;
extern int any(void);
struct job {
  void (*go)(struct job *);
};

static void one(struct job *j) {
  x = 1;
}
static void two(struct job *j) {
  x = 7;
}

void T(void) {
  struct job a;
  if (any())
    a.go = one;
  else
    a.go = two;
  a.go(&a);
}
