// expect: violates, line 19, step
// soundness: a volatile local whose address was published changes at any time
// contract: x.contract
#include <stdint.h>
int x = 0;
static struct {
  volatile uint32_t *status;
  uint32_t go;
} dma;
enum { PENDING, DONE };

void T(void) {
  volatile uint32_t status;
  dma.status = &status; // where the engine reports
  status = PENDING;
  dma.go = 1;
  while (status == PENDING)
    ; // the engine writes DONE
  x = 7;
}
