// A function without body may write what its argument leads to, also by a pointer stored there.
// RUN: %clang-ir %s -o %t.ll
// RUN: not opt -load %abstract -passes='abstract-check<contract=%S/Inputs/negative.contract>' %t.ll -disable-output 2>&1 | FileCheck %s
// CHECK: 'n' can be reached through an argument of use
int n;
struct holder {
  int *place;
};
extern void use(struct holder *);

void Worker(void) {
  struct holder holder;
  holder.place = &n;
  use(&holder);
  n = 1;
}
