// expect: violates, step
// soundness: another name of the function and of the variable
// contract: x.contract
int storage;
extern int x __attribute__((alias("storage")));
void work(void) { storage = 2; }
void T(void) __attribute__((alias("work")));
