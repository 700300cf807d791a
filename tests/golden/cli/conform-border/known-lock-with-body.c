// expect: violates, line 7, step
// soundness: a lock of the code, not of the library
// contract: x.contract
int x = 0;

int mtx_lock(int *m) {
  x = 7;
  return *m;
}

void T(void) {
  int m = 0;
  x = 1;
  mtx_lock(&m);
}
