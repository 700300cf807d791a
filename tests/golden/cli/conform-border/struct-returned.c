// expect: conforms
// precision: a struct that is returned by value is taken apart
// contract: x.contract
int x = 0;
struct triple {
  int a[3];
};

static struct triple make(int k) {
  struct triple t = {{k, k, k}};
  return t;
}

void T(void) {
  struct triple t = make(4);
  if (t.a[2] != 4)
    x = 7;
  x = 1;
}
