// A static local is bound by its name, with and without debug information; a global goes before it.
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/counter.contract clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/counter.contract clang -w -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/counter.contract clang -w -g -c -DGLOBAL -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: sed 's/count = 0/count @ other::count = 0/' %S/Inputs/counter.contract > %t.contract
// RUN: env UNDERSTUDY_CONTRACT=%t.contract not clang -w -g -c -DGLOBAL -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OTHER
int closed;
#ifdef GLOBAL
_Atomic int count;
int other(void) { static _Atomic int count; return count += 2; }
void Worker(void) {
  if (!closed) {
    other();
    ++count;
  }
}
#else
void Worker(void) {
  static _Atomic int count;
  if (!closed)
    ++count;
}
#endif

// LOCAL: remark: thread Worker conforms
// LOCAL: count is the static variable in Worker, not a global in another file (write '@ Worker::count' to say so)
// GLOBAL: remark: thread Worker conforms
// GLOBAL-NOT: static variable
// OTHER: static-local.c:10:{{[0-9]+}}: error: thread Worker: this step sets count from
