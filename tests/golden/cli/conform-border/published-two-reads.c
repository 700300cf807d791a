// expect: violates, line 13, step
// soundness: two reads of a published local may differ
// contract: x.contract
int x = 0;
static volatile int *volatile waiter;

void T(void) {
  volatile int done = 0;
  waiter = &done;
  x = 1;
  if (!done)
    if (done)
      x = 7;
}

void irq(void) { *waiter = 1; }
