// The check under opt, in both ways of loading, and under clang.
// RUN: %clang-ir %s -o %t.ll
// RUN: opt -load %abstract -passes='abstract-check<contract=%S/Inputs/counter.contract>' %t.ll -disable-output
// RUN: opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/counter.contract;overflow=assume>' %t.ll -disable-output
// RUN: %clang-ir -DLOST %s -o %t.lost.ll
// RUN: not opt -load %abstract -passes='abstract-check<contract=%S/Inputs/counter.contract>' %t.lost.ll -disable-output 2>&1 | FileCheck %s
// RUN: clang -w -g -O2 -c %s -o %t.plain.o
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/counter.contract clang -w -g -O2 -fpass-plugin=%abstract -c %s -o %t.checked.o
// RUN: cmp %t.plain.o %t.checked.o
// RUN: clang -w -g -O2 -fplugin=%abstract -fpass-plugin=%abstract -mllvm -abstract-contract=%S/Inputs/counter.contract -c %s -o %t.option.o
// RUN: cmp %t.plain.o %t.option.o
// RUN: not clang -w -g -DLOST -fplugin=%abstract -fpass-plugin=%abstract -mllvm -abstract-contract=%S/Inputs/counter.contract -c %s -o %t.o 2>&1 | FileCheck %s
#include <stdatomic.h>
atomic_int count;
_Bool closed;

void Worker(void) {
  if (closed)
    return;
#ifdef LOST
  int seen = count;
  count = seen + 1;
#else
  atomic_fetch_add(&count, 1);
#endif
}

// CHECK: check.c:[[# @LINE - 6]]:{{[0-9]+}}: error: thread Worker: this step sets count from
// CHECK: the contract allows from Open only: count' == count + 1 (to Done)
// CHECK: abstract-check: the code does not conform to its contract
