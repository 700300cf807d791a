// expect: conforms
// precision: the other of two locals keeps its value, also in a loop and behind a second pointer
// contract: x.contract
int x = 0;
extern int choose(void);

static void set(int **to, int value) { **to = value; }

void T(void) {
  int a = 0, b = 0, c[2] = {0, 0};
  int *p = &b;
  for (int i = 0; i < 2; i++) {
    if (choose())
      p = &c[1];
    set(&p, 1);
  }
  x = 1;
  if (a || c[0] || (c[1] && *p == 0))
    x = 7;
}
