// expect: violates, line 13, step
// soundness: the controller sets a local when it is finished
// contract: x.contract
int x = 0;
extern void start_dma(volatile int *done);

void T(void) {
  volatile int done = 0;
  start_dma(&done);
  x = 1;
  if (!done)
    if (done)
      x = 7;
}
