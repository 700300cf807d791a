// expect: conforms
// precision: also through a pointer, in a helper
// contract: grows.contract
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
unsigned short x = 1;
static void more(unsigned short *p) {
  __VERIFIER_atomic_begin();
  (*p)++;
  __VERIFIER_atomic_end();
}
void T(void) { more(&x); }
