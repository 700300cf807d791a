// A static mutex is another one in every file: threads of other files do not share it.
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/mutex.contract not clang -w -g -c -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: env UNDERSTUDY_CONTRACT=%S/Inputs/mutex.contract clang -w -g -c -Dstatic= -fpass-plugin=%abstract %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SHARED
typedef union {
  char size[40];
  long align;
} pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

static pthread_mutex_t m;
int x;

void Alpha(void) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
}

// STATIC: mutex.contract:2:16: error: 'm' is local to '{{.*}}static-mutex.c', but the contract of Beta, which is not in this file, uses it
// SHARED: remark: thread Alpha conforms
// SHARED: remark: not in this file and not checked here: Beta
