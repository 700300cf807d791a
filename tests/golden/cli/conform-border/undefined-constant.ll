; expect: violates, step
; soundness: each use of undef is any value
; contract: x.contract
@x = global i32 0, align 4

define void @T() {
entry:
  %equal = icmp eq i32 undef, 3
  %value = select i1 %equal, i32 7, i32 1
  store i32 %value, ptr @x, align 4
  ret void
}
