// expect: unknown, line 18, function pointer
// soundness: a pointer that an external function may have changed
// contract: x.contract
int x = 0;

static void nothing(void) {}

struct req {
  void (*complete)(void);
};

extern void submit(struct req *r);

void T(void) {
  struct req r = {nothing};
  submit(&r);
  x = 1;
  r.complete();
}
