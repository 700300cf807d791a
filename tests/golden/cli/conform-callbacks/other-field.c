// expect: conforms
// precision: another field of the struct that has the function is handed over
// contract: x.contract
struct device { const char *name; long size; void (*run)(void); };
extern void print(const char *, long);
int x;
static void poke(void) { x = 3; }
static struct device device = {"disk", 4, poke};
void T(void) {
  print(device.name, device.size);
  x = 1;
}
