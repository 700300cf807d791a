// expect: unknown, recursion: again calls again
// soundness: recursion that appears when a callback is resolved
// contract: x.contract
int x = 0;
extern int nd(void);

static void again(int n, void (*f)(int, void *)) {
  if (n > 0)
    f(n - 1, (void *)f);
}

void T(void) {
  x = 1;
  again(nd(), (void (*)(int, void *))again);
}
