// expect: conforms
// precision: __VERIFIER_atomic_f in the manner of K&R
// contract: x.contract
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();
extern int __VERIFIER_nondet_int();
extern void __VERIFIER_assume();
int x = 0;
void __VERIFIER_atomic_set();

void T(void) {
  __VERIFIER_assume(__VERIFIER_nondet_int() > 3);
  __VERIFIER_atomic_set();
}

void __VERIFIER_atomic_set(void) {
  x = 3;
  x = 1;
}
