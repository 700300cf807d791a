// Assertions that are never reached, that the compiler left out, and that only an option makes one.
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/lost.contract clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REACH
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/lost.contract clang -w -g -O2 -c -DNDEBUG -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NDEBUG
// RUN: not clang -w -g -c -DHOOK -fplugin=%abstract -fpass-plugin=%abstract -mllvm -abstract-contract=%S/Inputs/lost.contract -mllvm -abstract-assert-hook=stop,not_here %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOOK
// RUN: %clang-ir -DHOOK %s -o %t.ll
// RUN: not opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/lost.contract;assert-hook=stop>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=HOOK
// RUN: not opt -load-pass-plugin=%abstract -passes='abstract-check<contract=%S/Inputs/lost.contract;assert-hook=stopp>' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=SLIP
#include <assert.h>
int a[4];
int x;
_Noreturn void stop(void);

void Worker(void) {
  int local[2];
  for (int i = 0; i < 2; i++)
    local[i] = 1;
  x = 1; /* assert(x) in a comment */
#ifdef HOOK
  if (x == 1)
    stop();
#else
  assert(x == 1);
  for (int i = 0; i <= 4; i++)
    a[i] = 1;
  x = 7;
  assert(x == 7);
#endif
}

// REACH: remark: thread Worker conforms
// REACH-NEXT: lost.c:25:{{[0-9]+}}: warning: never reached: x = 7
// REACH-NEXT: lost.c:26:{{[0-9]+}}: warning: never reached: assert(x == 7)
// REACH-NEXT: lost.c:24:{{[0-9]+}}: warning: index may be out of bounds, and the code after it is unchecked: a[i] = 1
// REACH-NEXT: remark: assumed
// REACH-NOT: NDEBUG
// NDEBUG: assertions missing from the compiled code are not checked (is NDEBUG defined?): {{.*}}lost.c:22 assert(x == 1), {{.*}}lost.c:26 assert(x == 7);
// HOOK: lost.c:20:{{[0-9]+}}: error: thread Worker: this assertion can fail
// SLIP: error: the code has no function 'stopp' for --assert-hook
// SLIP: did you mean 'stop'?
