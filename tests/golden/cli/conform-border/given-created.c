// expect: unknown, line 9, this pointer may reach 'x'
// soundness: who creates the thread gives it the address of a named variable
// contract: x.contract
#include <pthread.h>
int x = 0;

void *T(void *p) {
  x = 1;
  *(int *)p = 7;
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, T, &x);
  return 0;
}
