; expect: error, is not readable LLVM IR
; contract: counter.contract
@x = global i32 0

define void @worker() {
  store i32 1, ptr @y
  ret void
