// expect: conforms
// precision: a word of the verifier replaces the body, and it is listed
// contract: x.contract
// listed: the body that the code gives __VERIFIER_nondet_int is not looked at
int x = 0;
int __VERIFIER_nondet_int(void) {
  x = 7;
  return 0;
}

void T(void) {
  x = 1;
  __VERIFIER_nondet_int();
}
