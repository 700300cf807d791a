// expect: violates, line 10, assertion
// soundness: the assertions of musl
// contract: x.contract
extern void __assert_fail(const char *, const char *, int, const char *) __attribute__((noreturn));
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
int x = 0;

void T(void) {
  x = 1;
  assert(x == 5);
}
