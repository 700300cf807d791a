// One file of several: what is said of it, and that nothing passes in silence.
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/two.contract clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %clang-ir %s -o %t.ll
// RUN: opt -load %abstract -passes='abstract-check<contract=%S/Inputs/two.contract;part>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/two.contract>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/two.contract clang -w -g -c -DHELPER -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HELPER
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/two.contract clang -w -g -c -DTYPO -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/two.contract clang -w -g -c -DNOTHING -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/two.contract not clang -w -g -c -DWRONG -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WRONG
#include <assert.h>
extern int x;
void helper(void);

#if defined(HELPER)
void helper(void) { x = 7; }
#elif defined(TYPO)
void first(void) { x = 1; }
#elif defined(NOTHING)
static float y;
float nothing(void) { return y; }
#else
void First(void) {
  x = 1;
#ifdef WRONG
  x = 2;
#endif
  helper();
  assert(x == 1);
}
#endif

// FIRST: part.c:{{[0-9]+}}:1: remark: thread First conforms to its contract in '{{.*}}two.contract' (2 steps)
// FIRST-NEXT: part.c: remark: assumed: helper performs no thread operation, {{.*}}y, which this file does not mention, is taken for a signed 64-bit integer (its C type is not known here); {{.*}}stamp, which this file does not mention, is
// FIRST-NEXT: part.c: remark: not in this file and not checked here: Second
// FIRST-NEXT: part.c: remark: {{.*}}: run 'understudy compose {{.*}}two.contract'
// FIRST-NOT: {{.}}

// WHOLE: error: the code has no global 'y'

// HELPER: part.c: remark: nothing checked: this file has no thread of '{{.*}}two.contract' (First, Second){{$}}
// HELPER-NEXT: part.c: remark: assumed: helper ({{.*}}part.c:15) may write x but does not run concurrently with the system; the initial value of x, which helper ({{.*}}part.c:15) may set before the threads start, is the one in the contract{{$}}
// HELPER-NOT: {{.}}

// TYPO: two.contract:7:10: warning: thread First is not checked: '{{.*}}part.c' has no function 'First'; did you mean 'first'?
// TYPO-NEXT: part.c: remark: nothing checked: this file has no thread

// NOTHING: part.c: remark: nothing checked: this file has no thread of {{.*$}}
// NOTHING-NOT: {{.}}

// WRONG: part.c:{{[0-9]+}}:{{[0-9]+}}: error: thread First: this step sets x from {{.*}} to 2
// WRONG: finds stamp = {{[0-9]+}}
// WRONG: abstract-check: the code does not conform to its contract
