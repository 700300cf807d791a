; expect: conforms
; precision: a branch on poison is undefined behaviour, also after a step
; contract: x.contract
@x = global i32 0, align 4

declare i32 @in()

define void @T() {
entry:
  %a = call i32 @in()
  %f = call i32 @in()
  %sum = add nsw i32 %a, 1
  %asked = icmp ne i32 %f, 0
  store i32 1, ptr @x, align 4
  br i1 %asked, label %use, label %end

use:
  %wrapped = icmp slt i32 %sum, %a
  br i1 %wrapped, label %wrong, label %end

wrong:
  store i32 7, ptr @x, align 4
  br label %end

end:
  ret void
}
