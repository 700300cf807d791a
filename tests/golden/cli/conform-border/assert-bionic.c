// expect: violates, line 10, assertion
// soundness: the assertions of bionic
// contract: x.contract
extern void __assert2(const char *, int, const char *, const char *) __attribute__((noreturn));
#define assert(e) ((e) ? (void)0 : __assert2(__FILE__, __LINE__, __func__, #e))
int x = 0;

void T(void) {
  x = 1;
  assert(x == 5);
}
