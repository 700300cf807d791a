// expect: violates, return
// soundness: a helper ends the thread too early
// contract: x.contract
int x = 0;

extern int number(void);
extern void pthread_exit(void *);

static void leave(void) {
  if (number())
    pthread_exit(0);
}

void T(void) {
  leave();
  x = 1;
}
