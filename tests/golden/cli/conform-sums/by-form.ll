; expect: conforms
; soundness: without optnone the verdict rests on how the code looks, and says so
; contract: any.contract
; listed: the IR of 'T' was not optimised (it has no optnone; recognised by its form)
@x = global i32 1
define void @T() !dbg !4 {
  %1 = load i32, ptr @x, !dbg !7
  %2 = add i32 %1, 1, !dbg !7
  store i32 %2, ptr @x, !dbg !7
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "by-form.c", directory: "")
!2 = !{i32 2, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "T", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 1, column: 17, scope: !4)
