// expect: violates, line 10, assertion
// soundness: a kernel that panics
// contract: x.contract
extern void panic(const char *format, ...) __attribute__((noreturn));
#define assert(e) ((e) ? (void)0 : panic("%s", #e))
int x = 0;

void T(void) {
  x = 1;
  assert(x == 5);
}
