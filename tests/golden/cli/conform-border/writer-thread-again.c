// expect: conforms
// precision: starting a thread is no writer, and a helper of threads only belongs to them
// contract: x.contract
int x = 0;
void start(void (*f)(void));

static void set(int v) {
  x = v;
}

void T(void) {
  set(1);
}

int main(void) {
  start(T);
  return 0;
}
