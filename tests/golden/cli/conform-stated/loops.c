// expect: conforms
// precision: the solver does not find a remainder by itself, each loop needs what is stated above it
// contract: third.contract
int x;
int more(void);

static int with_for(int begin) {
  int n = begin;
  //@ invariant n % 3 == 0 && n >= 0 && n <= 30
  for (; more() && n < 30; n += 3)
    ;
  return n;
}

void worker(void) {
  int n = 0;
  //@ invariant n % 3 == 0 && n >= 0 && n < 300
  //@ invariant n < 7
  do {
    n += 3;
  } while (more() && n < 300);
  x = n;
  x = with_for(0);
  n = 0;
  // Comments may stand in between.
  //@ invariant n % 3 == 0 && n >= 0 && n <= 30
  // Like this one.
  while (1) {
    if (!more() || n >= 30)
      break;
    n += 3;
  }
  x = n;
}
