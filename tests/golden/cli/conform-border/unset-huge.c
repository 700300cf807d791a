// expect: violates, line 21, step
// soundness: an element of a large local that a function leaves unset
// contract: x.contract
int x = 0;

int bus_ok(void);

struct message {
  int values[1000];
  int length;
};

static void receive(struct message *m) {
  if (bus_ok())
    m->length = 1;
}

void T(void) {
  struct message m;
  receive(&m);
  x = m.length;
}
