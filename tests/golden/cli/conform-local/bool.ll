; expect: conforms
; precision: without debug information, what is read as one bit of eight is a _Bool
; contract: bool.contract
@x = global i8 0
declare void @__assert_fail(ptr, ptr, i32, ptr)
define void @T() #0 {
  %1 = load i8, ptr @x
  %2 = trunc i8 %1 to i1
  br i1 %2, label %done, label %fail
fail:
  call void @__assert_fail(ptr null, ptr null, i32 0, ptr null)
  unreachable
done:
  ret void
}
attributes #0 = { noinline optnone }
