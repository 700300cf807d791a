// What the instrumentation adds, and that LLVM's verifier accepts it.
// RUN: %clang-ir %s -o %t.ll
// RUN: opt -load %abstract -passes='abstract<contract=%S/Inputs/closing.contract>' -verify-each %t.ll -S -o %t.checker.ll
// RUN: FileCheck %s --input-file %t.checker.ll
#include <stdatomic.h>
atomic_int count;
_Bool closed;

void Worker(void) {
  if (closed)
    return;
  atomic_fetch_add(&count, 1);
}

// F has one bit for each state, and every shared variable a snapshot.
// CHECK-DAG: @understudy.Worker.in.Start = internal global i1 false
// CHECK-DAG: @understudy.Worker.in.Open = internal global i1 false
// CHECK-DAG: @understudy.Worker.in.Done = internal global i1 false
// CHECK-DAG: @understudy.Worker.before.count = internal global i32 0
// CHECK-DAG: @understudy.Worker.before.closed = internal global i8 0

// The thread itself stays.
// CHECK: define dso_local void @Worker()

// CHECK-LABEL: define{{.*}} void @understudy_check_Worker()
// CHECK: call void @understudy.Worker.start()
// CHECK: call void @understudy.Worker.before()
// CHECK-NEXT: load i8, ptr @closed
// CHECK-NEXT: call i1 @understudy.Worker.after()
// CHECK: call void @understudy.Worker.others()
// CHECK: call void @understudy.Worker.before()
// CHECK-NEXT: load i32, ptr @count
// CHECK: store i32 {{.*}}, ptr @count
// CHECK-NEXT: call i1 @understudy.Worker.after()
// CHECK: call void @understudy.Worker.others()
// CHECK: call i1 @understudy.Worker.mayEnd()
// CHECK: call void @reach_error()

// The assertion of Open is assumed where Open is possible.
// CHECK-LABEL: define internal void @understudy.Worker.before()
// CHECK: icmp sle i64 0
// CHECK: call void @__VERIFIER_assume

// The environment's move: any value, of the variable's type.
// CHECK-LABEL: define internal void @understudy.Worker.others()
// CHECK-DAG: call i32 @__VERIFIER_nondet_int()
// CHECK-DAG: call i1 @__VERIFIER_nondet_bool()
// CHECK: ret void
