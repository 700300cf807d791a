// expect: unknown, it may call poke, which accesses 'x'
// soundness: a function whose address is handed over as a number in a struct
// contract: x.contract
struct message { int kind; unsigned long to; };
extern void send(const struct message *);
int x;
static void poke(void) { x = 3; }
void T(void) {
  struct message m = {1, (unsigned long)poke};
  send(&m);
  x = 1;
}
