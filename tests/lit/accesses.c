// Every access to shared memory in the source is one in the checker, line by line, plain or
// volatile: nothing is merged, removed or speculated.
// RUN: %clang-ir %s -o %t.ll
// RUN: opt -load %abstract -passes='abstract<contract=%S/Inputs/accesses.contract>' %t.ll -S -o %t.checker.ll
// RUN: FileCheck %s --input-file %t.checker.ll
int x;
volatile int y;

static int twice(void) { return x + x; }

void Reader(int choice) {
  int a = x;
  int b = x;
  int unused = x;
  y;
  x = 1;
  x = 1;
  if (choice)
    a = x;
  else
    a = x;
  b = choice ? x : y;
  for (int i = 0; i < 2; ++i)
    x = a + b;
  x += twice();
}

// CHECK-LABEL: define{{.*}} void @understudy_check_Reader()
// CHECK-COUNT-3: load i32, ptr @x
// CHECK: load i32, ptr @y
// CHECK-COUNT-2: store i32 1, ptr @x
// CHECK-COUNT-3: load i32, ptr @x
// CHECK: load i32, ptr @y
// CHECK: store i32 {{.*}}, ptr @x
// CHECK-COUNT-3: load i32, ptr @x
// CHECK: store i32 {{.*}}, ptr @x
// CHECK-NOT: ptr @x
// CHECK-NOT: ptr @y
// CHECK: {{^}}}
