// expect: conforms
// precision: accesses by both names are accesses to the variable
// contract: x.contract
int storage;
extern int x __attribute__((alias("storage")));
static void late(void) { x = 1; }
void work(void) {
  if (storage == 0)
    late();
  else if (x == 0)
    storage = 1;
  else
    storage = 1;
}
void T(void) __attribute__((alias("work")));
