// The checker runs: 1,000 random runs return, and none goes wrong; the lost update does.
// RUN: %clang-ir %s -o %t.ll
// RUN: opt -load %abstract -passes='abstract<contract=%S/Inputs/counter.contract;coverage>' %t.ll -S -o %t.checker.ll
// RUN: clang -w -DUNDERSTUDY_CHECK=understudy_check_Worker %t.checker.ll %runtime -o %t.run
// RUN: %t.run --random 1000 --seed 1
// RUN: %clang-ir -DLOST %s -o %t.lost.ll
// RUN: opt -load %abstract -passes='abstract<contract=%S/Inputs/counter.contract>' %t.lost.ll -S -o %t.lost.checker.ll
// RUN: clang -w -DUNDERSTUDY_CHECK=understudy_check_Worker %t.lost.checker.ll %runtime -o %t.lost.run
// RUN: not %t.lost.run --random 1000 --seed 1
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
