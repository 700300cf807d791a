// expect: unknown, line 12, differs in width
// soundness: another member of the union reaches half of the variable
// contract: counter.contract
union word {
  int whole;
  short half[2];
};

int x;

void worker(void) {
  ((union word *)&x)->half[0] = 1;
}
