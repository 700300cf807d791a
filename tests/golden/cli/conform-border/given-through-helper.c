// expect: unknown, line 8, this pointer may reach 'x'
// soundness: the address of a named variable gets to a thread through a helper
// contract: x.contract
int x = 0;

void T(int *p) {
  x = 1;
  p[0] = 7;
}

static void run(int *p) {
  T(p);
}

int main(void) {
  int l = 0;
  run(&l);
  run(&x);
  return 0;
}
