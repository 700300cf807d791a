// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Poison.h"

#include "tests/passes/AssemblySupport.h"

#include <llvm/IR/Operator.h>

#include <catch2/catch.hpp>

using namespace understudy;
using tests::Assembly;

namespace {

/// What is left of a function after poison was made explicit.
struct Explicit {
  size_t flags = 0; ///< instructions that may still make poison
  size_t assumptions = 0;
  size_t inputs = 0;
  bool operator==(const Explicit &) const = default;
};

Explicit madeExplicit(const std::string &body) {
  Assembly code("@x = global i32 0\n"
                "declare void @understudy_step_begin(i32)\n"
                "declare void @understudy_step_end(i32)\n"
                "declare i32 @llvm.abs.i32(i32, i1)\n"
                "define void @f(i32 %a, i32 %b, i1 %c) {\n" +
                body + "\n}\n");
  passes::lower::makePoisonExplicit(code.function("f"));
  code.requireValid();
  Explicit result;
  for (const llvm::Instruction &instruction : llvm::instructions(code.function("f"))) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::StringRef name = call != nullptr ? call->getCalledOperand()->getName() : "";
    result.flags += instruction.hasPoisonGeneratingFlags();
    result.assumptions += name == "__VERIFIER_assume";
    result.inputs += name.starts_with("__VERIFIER_nondet");
  }
  return result;
}

const std::string step = "call void @understudy_step_begin(i32 0)\nstore i32 7, ptr @x\n"
                         "call void @understudy_step_end(i32 0)\n";

} // namespace

TEST_CASE("poison: what is used at once keeps its flags", "[passes]") {
  CHECK(madeExplicit("%s = add nsw i32 %a, 1\n%t = icmp eq i32 %s, 0\n"
                     "br i1 %t, label %l, label %l\nl:\nret void") == Explicit{1, 0, 0});
  CHECK(madeExplicit("%s = add nsw i32 %a, 1\ncall void @understudy_step_begin(i32 0)\n"
                     "store i32 %s, ptr @x\ncall void @understudy_step_end(i32 0)\nret void") ==
        Explicit{1, 0, 0});
}

TEST_CASE("poison: what is computed ahead excludes a run only where it is used", "[passes]") {
  // After another step: the flag goes, and the branch is where the run may end.
  CHECK(madeExplicit("%s = add nsw i32 %a, 1\n" + step +
                     "%t = icmp eq i32 %s, 0\nbr i1 %t, label %l, label %l\nl:\nret void") ==
        Explicit{0, 1, 0});
  // Chosen or not: only the choice that is stored counts.
  CHECK(madeExplicit("%s = sub nuw i32 %a, %b\n" + step +
                     "%v = select i1 %c, i32 %s, i32 0\nstore i32 %v, ptr @x\nret void") ==
        Explicit{0, 1, 0});
  // Nobody uses it.
  CHECK(madeExplicit("%s = mul nsw i32 %a, 3\n" + step + "ret void") == Explicit{0, 0, 0});
  // As a divisor.
  CHECK(madeExplicit("%s = shl nsw i32 %a, 1\n" + step + "%q = udiv i32 %b, %s\nret void") ==
        Explicit{0, 1, 0});
}

TEST_CASE("poison: freeze gives any value instead", "[passes]") {
  CHECK(madeExplicit("%s = add nsw i32 %a, 1\n" + step +
                     "%v = freeze i32 %s\nstore i32 %v, ptr @x\nret void") == Explicit{0, 0, 1});
  CHECK(madeExplicit("%v = freeze i32 %a\nstore i32 %v, ptr @x\nret void") == Explicit{0, 0, 0});
}

TEST_CASE("poison: phis hand it on, other flags are found", "[passes]") {
  CHECK(madeExplicit("%s = call i32 @llvm.abs.i32(i32 %a, i1 true)\n" + step +
                     "br i1 %c, label %l, label %m\nl:\nbr label %m\n"
                     "m:\n%v = phi i32 [ %s, %0 ], [ 1, %l ]\nstore i32 %v, ptr @x\nret void") ==
        Explicit{0, 1, 0});
  CHECK(madeExplicit("%s = udiv exact i32 %a, 3\n" + step + "store i32 %s, ptr @x\nret void") ==
        Explicit{0, 1, 0});
  CHECK(madeExplicit("%n = trunc i32 %a to i8\n%s = zext nneg i8 %n to i32\n" + step +
                     "store i32 %s, ptr @x\nret void") == Explicit{0, 1, 0});
}

TEST_CASE("poison: code as written is recognised", "[passes]") {
  Assembly code("define void @f() noinline optnone {\n  ret void\n}\n"
                "define void @g() \"understudy-as-written\" {\n  ret void\n}\n"
                "define void @h() {\n  ret void\n}\n");
  CHECK(passes::lower::isAsWritten(code.function("f")));
  CHECK(passes::lower::isAsWritten(code.function("g")));
  CHECK_FALSE(passes::lower::isAsWritten(code.function("h")));
}
