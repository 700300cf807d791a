// expect: unknown, line 9, this pointer may reach 'x'
// soundness: a caller in the same file gives the thread the address of a named variable
// contract: x.contract
int x = 0;

void T(int *p) {
  x = 1;
  if (p)
    *p = 7;
}

int main(void) {
  T(&x);
  return 0;
}
