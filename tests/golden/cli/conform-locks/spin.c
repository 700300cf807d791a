// expect: conforms
// precision: locks in a struct, of all kinds
// contract: counter.contract
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

struct device {
  pthread_spinlock_t spin;
  pthread_rwlock_t readers;
  mtx_t mutex;
};

atomic_int x;

void worker(struct device *dev) {
  pthread_spin_lock(&dev->spin);
  pthread_rwlock_rdlock(&dev->readers);
  mtx_lock(&dev->mutex);
  x++;
  mtx_unlock(&dev->mutex);
  pthread_rwlock_unlock(&dev->readers);
  pthread_spin_unlock(&dev->spin);
}
