// expect: conforms
// precision: barriers, hints and reads of processor registers are local
// contract: x.contract
#define mb() __asm__ volatile("mfence" ::: "memory")
#define cpu_relax() __asm__ volatile("rep; nop" ::: "memory")

int x = 0;

void T(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  for (unsigned i = 0; i < (low & 7); i++)
    cpu_relax();
  mb();
  x = 1;
  mb();
}
