// expect: conforms
// precision: parts of the contract that this code does not use are listed
#include <stdatomic.h>
#include <stdbool.h>

atomic_int x;
atomic_bool flag;

void worker(void) {
  atomic_fetch_add(&x, 1);
  atomic_fetch_sub(&x, 1);
}
