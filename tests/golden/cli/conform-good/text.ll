; expect: conforms
; precision: LLVM assembly without debug information
; contract: counter.contract
@x = global i32 0

define void @worker() {
  %old = atomicrmw add ptr @x, i32 1 seq_cst
  ret void
}
