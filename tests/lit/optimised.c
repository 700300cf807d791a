// A sum that is stored does not overflow, by assumption; one that was computed before may. Without
// optimisation the two are told apart, whatever the compiler calls it; with it they are not.
// RUN: %clang-plain -O0 %s -o %t.ll
// RUN: opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefixes=CHECK,SAYS-SO
// RUN: %clang-ir %s -o %t.ll
// RUN: opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefixes=CHECK,BY-FORM
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/sum.contract clang -w -g -O1 -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,BY-FORM
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/sum.contract clang -w -g -O2 -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,BY-FORM
// RUN: %clang-plain -O1 %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: %clang-plain -O2 %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: %clang-plain -O0 -DEARLY %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/sum.contract not clang -w -g -O2 -c -DEARLY -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: %clang-plain -O2 -DEARLY %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: %clang-ir -DEARLY %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='function(mem2reg),abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: not opt -load-pass-plugin=%abstract -passes='default<O2>,abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: %clang-ir -DSTATIC %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='function(gvn),globalopt,abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: %clang-ir -DCALLED %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='default<O1>,abstract-check<contract=%S/Inputs/sum.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HIDDEN
// CHECK: remark: thread Worker conforms
// BY-FORM: remark: assumed: {{.*}}the IR of 'Worker' was not optimised (it has no optnone; recognised by its form)
// SAYS-SO-NOT: was not optimised
// HIDDEN: error: thread Worker: conformance not decided: a violation depends on a number that may have wrapped before the store, which optimised code does not show (give the C file, or IR compiled with -g -O0)
// WRAPS: error: thread Worker: this step sets x from 4294967295 to 0
unsigned x;
static unsigned g;
static inline __attribute__((always_inline)) unsigned next(unsigned n) { return n + 1; }

void Worker(void) {
#if defined EARLY
  unsigned y = x + 1; x = y;
#elif defined STATIC
  g = x + 1;
  x = g;
#elif defined CALLED
  x = next(x);
#else
  x = x + 1;
#endif
}
