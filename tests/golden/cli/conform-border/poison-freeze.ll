; expect: violates, step
; soundness: frozen poison is any value
; contract: x.contract
@x = global i32 0, align 4

declare i32 @in()

define void @T() {
entry:
  %a = call i32 @in()
  %sum = add nsw i32 %a, 1
  %any = freeze i32 %sum
  store i32 1, ptr @x, align 4
  %five = icmp eq i32 %any, 5
  %most = icmp eq i32 %a, 2147483647
  %both = and i1 %five, %most
  br i1 %both, label %wrong, label %end

wrong:
  store i32 7, ptr @x, align 4
  br label %end

end:
  ret void
}
