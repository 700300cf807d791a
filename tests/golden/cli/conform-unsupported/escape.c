// expect: unknown, line 10, reached through an argument of watch
// soundness: the function may write the variable
// contract: counter.contract
#include <stdatomic.h>

atomic_int x;
void watch(atomic_int *counter);

void worker(void) {
  watch(&x);
  atomic_fetch_add(&x, 1);
}
