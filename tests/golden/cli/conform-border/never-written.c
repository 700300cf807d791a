// expect: conforms
// precision: nobody writes the variable: two reads give one value
// contract: never-written.contract
#include <assert.h>
#include <stdbool.h>
int x = 0;
int limit = 3;
bool on = false;

void T(void) {
  int before = limit;
  bool was = on;
  x = 1;
  assert(limit == before && on == was);
  limit = before; // changes nothing
}
