; Wrong parameters and contracts end with a message.
; RUN: not opt -load %abstract -passes='abstract<contrakt=x>' %s -disable-output 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not opt -load %abstract -passes=abstract %s -disable-output 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not opt -load %abstract -passes='abstract<contract=missing.contract>' %s -disable-output 2>&1 | FileCheck %s --check-prefix=MISSING
; RUN: not opt -load %abstract -passes='abstract-check<contract=%S/Inputs/counter.contract>' %s -disable-output 2>&1 | FileCheck %s --check-prefix=FIT
; UNKNOWN: abstract: unknown parameter 'contrakt=x'
; NONE: no contract given
; MISSING: cannot read contract 'missing.contract'
; FIT: the code has no global 'count'
; FIT: the code has no global 'closed'
define void @Worker() {
  ret void
}
