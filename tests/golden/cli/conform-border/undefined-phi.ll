; expect: violates, step
; soundness: undef on one of the ways to a merge is any value
; contract: x.contract
@x = global i32 0, align 4

declare i1 @ok()

define void @T() {
entry:
  %ok = call i1 @ok()
  br i1 %ok, label %set, label %merge

set:
  br label %merge

merge:
  %value = phi i32 [ undef, %entry ], [ 1, %set ]
  store i32 %value, ptr @x, align 4
  ret void
}
