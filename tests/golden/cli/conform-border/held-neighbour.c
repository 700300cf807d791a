// expect: unknown, line 16, 'p', whose address escapes
// soundness: who knows one member knows the whole structure
// contract: x.contract
int x = 0;

struct pair {
  int first;
  int second;
};
extern void fill(int *);

void T(void) {
  struct pair p = {0, 0};
  fill(&p.first);
  x = 1;
  if (p.second)
    x = 7;
}
