// expect: unknown, dev->pending
// soundness: paths through pointers are not treated yet
#include <stdatomic.h>

struct device {
  atomic_int pending;
};

void worker(struct device *dev) { atomic_fetch_add(&dev->pending, 1); }
