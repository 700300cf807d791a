// expect: violates, line 14, guard
// soundness: an assembler label says which function is called
// contract: counter.contract
typedef struct {
  long words[5];
} pthread_mutex_t;
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *) __asm__("pthread_mutex_trylock");

pthread_mutex_t lock;
int busy;
void worker(void) {
  pthread_mutex_lock(&lock);
  busy++;
  pthread_mutex_unlock(&lock);
}
