// Adding a negative number to an unsigned variable is no overflow that could be assumed away.
// RUN: %clang-ir %s -o %t.ll
// RUN: not opt -load %abstract -passes='abstract-check<contract=%S/Inputs/negative.contract>' %t.ll -disable-output 2>&1 | FileCheck %s
// CHECK: error: thread Worker: this step sets n from
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
atomic_uint n;

void Worker(void) {
  int delta = -1;
  if (__VERIFIER_nondet_int())
    delta = -2;
  atomic_fetch_add(&n, delta);
}
