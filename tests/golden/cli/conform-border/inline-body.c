// expect: violates, line 7, step
// soundness: a C99 inline function has its body
// contract: x.contract
int x = 0;

inline void set7(void) {
  x = 7;
}

void T(void) {
  x = 1;
  set7();
}
