// expect: violates, line 11, assertion
// soundness: a thread that stands for itself writes the variable, through a helper
// contract: never-written-bare.contract
#include <assert.h>
int x = 0;
int limit = 3;

void T(void) {
  int before = limit;
  x = 1;
  assert(limit == before);
}

static void put(int *p, int v) { *p = v; }

void U(void) { put(&limit, 4); }
