// expect: violates, line 10, assertion
// soundness: the assertions of newlib
// contract: x.contract
extern void __assert_func(const char *, int, const char *, const char *) __attribute__((noreturn));
#define assert(e) ((e) ? (void)0 : __assert_func(__FILE__, __LINE__, __func__, #e))
int x = 0;

void T(void) {
  x = 1;
  assert(x == 5);
}
