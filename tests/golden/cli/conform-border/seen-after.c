// expect: conforms
// precision: a look after the store takes nothing away from the assumption that stores fit
// contract: seen-after.contract
extern void first(void);
unsigned x = 0;
void T(void) {
  if (++x == 1)
    first();
}
