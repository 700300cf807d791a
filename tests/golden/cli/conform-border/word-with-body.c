// expect: conforms
// precision: a word of the verifier replaces the body, and it is listed
// contract: x.contract
// listed: __VERIFIER_nondet_int has its predefined meaning
int x = 0;
int __VERIFIER_nondet_int(void) {
  x = 7;
  return 0;
}

void T(void) {
  x = 1;
  __VERIFIER_nondet_int();
}
