// A static variable is another object in every file: threads of other files cannot use it.
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/lock.contract not clang -w -g -c -DALPHA -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/lock.contract clang -w -g -c -DALPHA -DBETA -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HERE
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/lock.contract clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed -e 's/thread Beta {/thread Beta; environment Other {/' -e '/never/d' -e 's/Beta, Gamma/Beta, Other, Gamma/' %S/Inputs/lock.contract > %t.contract
// RUN: env UNDERSTUDY_CONTRACT=%t.contract clang -w -g -c -DALPHA -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ITSELF
static int busy;

#ifdef ALPHA
void Alpha(void) {
  while (__sync_lock_test_and_set(&busy, 1))
    ;
  __sync_lock_release(&busy);
}
#endif
#ifdef BETA
void Beta(void) {
  while (__sync_lock_test_and_set(&busy, 1))
    ;
  __sync_lock_release(&busy);
}
#endif

// ELSEWHERE: lock.contract:3:15: error: 'busy' is local to '{{.*}}static-header.c', but the contract of Beta, which is not in this file, uses it
// ELSEWHERE: hint: every file has its own object of a static variable
// HERE: remark: thread Alpha conforms
// HERE: remark: thread Beta conforms
// HERE: remark: not in this file and not checked here: Gamma
// NONE: remark: nothing checked
// ITSELF: remark: thread Alpha conforms
// ITSELF: Beta, which is not in this file, does not use busy, which is local to it
