// Without code nothing is checked, and that is said; clang loads no pass plugin of its own accord then.
// RUN: clang -w -fsyntax-only -fplugin=%abstract -fpass-plugin=%abstract -mllvm -abstract-contract=%S/Inputs/counter.contract %s 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/counter.contract clang -w -E -fplugin=%abstract -fpass-plugin=%abstract %s -o %t.i 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: not clang -w -c -DWRONG -fplugin=%abstract -fpass-plugin=%abstract -mllvm -abstract-contract=%S/Inputs/counter.contract %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=ERROR,SAID
// RUN: clang -w -fsyntax-only -fplugin=%abstract -fpass-plugin=%abstract %s 2>&1 | count 0
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/counter.contract clang -w -fsyntax-only -fpass-plugin=%abstract %s 2>&1 | count 0
// RUN: clang -w -g -c -fplugin=%abstract -fpass-plugin=%abstract -mllvm -abstract-contract=%S/Inputs/counter.contract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CHECKED
#include <stdatomic.h>
atomic_int count;
_Bool closed;

void Worker(void) {
#ifdef WRONG
  no_such_name = 1;
#endif
  if (!closed)
    atomic_fetch_add(&count, 1);
}

// ERROR: error: use of undeclared identifier
// SAID: warning: nothing checked: conformance is checked when code is generated, and none was (-fsyntax-only, -E or an error)
// CHECKED-NOT: nothing checked
// CHECKED: Worker
