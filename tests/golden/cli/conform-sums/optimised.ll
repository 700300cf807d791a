; expect: unknown, a number that may have wrapped
; soundness: optimised code does not tell a sum in a store from one of a local
; contract: least.contract
@x = global i32 1
declare i32 @nd()
define void @T() {
  %c = call i32 @nd()
  %h = lshr i32 %c, 1
  %d = add i32 %h, 1
  store i32 %d, ptr @x
  ret void
}
