// expect: violates, line 21, step
// soundness: a struct that is returned half-filled
// contract: x.contract
struct result {
  int code;
  int value;
};

int x = 0;

static struct result get(int ok) {
  struct result made;
  made.code = 0;
  if (ok)
    made.value = 1;
  return made;
}

void T(int ok) {
  struct result got = get(ok);
  x = got.value;
}
