// expect: violates, step
// soundness: a sum that went through a struct is what the struct holds
// contract: least.contract
extern unsigned nd(void);
unsigned x = 1;
struct pair { unsigned a, b; };
void T(void) {
  struct pair p = {nd() + 1, 0}, q;
  q = p;
  x = q.a;
}
