; expect: violates, step
; soundness: the sum is poison on one way, and used on the other
; contract: x.contract
@x = global i32 0, align 4

declare i32 @in()

define void @T() {
entry:
  %a = call i32 @in()
  %f = call i32 @in()
  %twice = shl nuw i32 %a, 1
  %half = lshr exact i32 %a, 1
  %wide = zext nneg i32 %a to i64
  %asked = icmp ne i32 %f, 0
  br i1 %asked, label %one, label %other

one:
  %low = trunc i64 %wide to i32
  %mixed = add i32 %twice, %half
  %all = add i32 %mixed, %low
  br label %next

other:
  br label %next

next:
  %t = phi i32 [ %all, %one ], [ 3, %other ]
  %three = icmp eq i32 %t, 3
  %least = icmp eq i32 %a, -1
  %both = and i1 %three, %least
  %value = select i1 %both, i32 7, i32 1
  store i32 %value, ptr @x, align 4
  ret void
}
