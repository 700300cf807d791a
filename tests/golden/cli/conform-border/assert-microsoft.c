// expect: violates, line 10, assertion
// soundness: the assertions of microsoft
// contract: x.contract
extern void _wassert(const unsigned short *, const unsigned short *, unsigned);
#define assert(e) ((e) ? (void)0 : _wassert(0, 0, __LINE__))
int x = 0;

void T(void) {
  x = 1;
  assert(x == 5);
}
