// expect: unknown, it may call poke, which accesses 'x'
// soundness: a function that is stored in an object before that is handed over
// contract: x.contract
struct timer { int n; void (*run)(void); };
extern void start_timer(struct timer *);
int x;
static struct timer timer;
static void poke(void) { x = 3; }
void T(void) {
  timer.run = poke;
  start_timer(&timer);
  x = 1;
}
