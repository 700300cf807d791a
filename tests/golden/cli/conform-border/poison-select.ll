; expect: violates, step
; soundness: an optimiser adds before it asks whether to; the sum is used only where it is defined
; contract: x.contract
@x = global i32 0, align 4

declare i32 @in()
declare void @mark()

define void @T() {
entry:
  %a = call i32 @in()
  %f = call i32 @in()
  %g = call i32 @in()
  %sum = add nsw i32 %a, 1
  %asked = icmp eq i32 %f, 0
  %t = select i1 %asked, i32 0, i32 %sum
  store i32 1, ptr @x, align 4
  %same = icmp eq i32 %t, %g
  br i1 %same, label %marked, label %next

marked:
  call void @mark()
  br label %next

next:
  %most = icmp eq i32 %a, 2147483647
  br i1 %most, label %wrong, label %end

wrong:
  store i32 7, ptr @x, align 4
  br label %end

end:
  ret void
}
