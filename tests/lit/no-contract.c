// Without a contract nothing is checked, and that is said; an output that is not there is not left behind.
// RUN: clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env UNDERSTUDY_CONTRACT= clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clang-ir %s -o %t.ll
// RUN: opt -load %abstract -passes='abstract-check<contract=%S/Inputs/counter.contract>,default<O1>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: rm -f %t.checker.ll
// RUN: not opt -load %abstract -passes=abstract %t.ll -S -o %t.checker.ll
// RUN: not test -e %t.checker.ll
_Atomic int count;
int closed;
void Worker(void) {
  if (!closed)
    ++count;
}

// NONE: no-contract.c: warning: nothing checked: no contract given (set UNDERSTUDY_CONTRACT, or use -mllvm -abstract-contract=FILE){{$}}
// NAMED: remark: thread Worker conforms
// NAMED-NOT: no contract given
