// Assertions of several functions in one line, and one that ends in a trap: only what this function has lost is listed.
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/lost.contract clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/lost.contract clang -w -g -c -DLOST -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LOST
#include <assert.h>
#define ASSERT(e) ((e) ? (void)0 : __builtin_trap())
#ifdef LOST
#define my_assert(e)
#else
#define my_assert(e) ASSERT(e)
#endif
#define empty_assert(e)
int a[4];
int x;
void before(void) { empty_assert(0); } void Worker(void) { x = 1; my_assert(x == 1); } void after(void) { assert(x); }

// ALL: remark: thread Worker conforms
// ALL-NOT: NDEBUG
// LOST: assertions missing from the compiled code are not checked (is NDEBUG defined?): {{.*}}one-line.c:14 my_assert(x == 1){{;|$}}
