; expect: conforms
; precision: where it does not matter, nothing is doubted
; contract: any.contract
@x = global i32 1
declare i32 @nd()
define void @T() {
  %c = call i32 @nd()
  %d = add i32 %c, 1
  store i32 %d, ptr @x
  ret void
}
