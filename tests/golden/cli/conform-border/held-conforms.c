// expect: conforms
// precision: what an external function fills in has any value
// contract: x.contract
int x = 0;
extern int receive(int *length);

void T(void) {
  int length;
  if (receive(&length) < 0 || length > 100)
    length = 0;
  x = 1;
}
