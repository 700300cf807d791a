// SPDX-License-Identifier: Apache-2.0
#include "passes/memory/Binding.h"

#include "logic/Error.h"
#include "specs/syntax/Parse.h"
#include "tests/passes/AssemblySupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace passes::memory;
using tests::Assembly;

namespace {

/// A contract with this item, and a thread T.
specs::Compiled contractWith(const std::string &item, const std::string &thread = "T") {
  auto file = std::make_shared<logic::SourceFile>(
      "x.contract", "system x {\n  " + item + "\n  thread " + thread +
                        " { initial S { -> F; } final F; }\n  run T;\n}\n");
  return specs::compile(specs::syntax::parseContract(file).tree, {});
}

/// The name in the module of what the only variable of the contract stands for.
std::string boundTo(const std::string &item, const std::string &assembly) {
  Assembly code(assembly);
  specs::Compiled contract = contractWith(item);
  Binding binding = bindVariables(contract, code.module());
  REQUIRE(binding.variables.size() == 1);
  return binding.variables.front().global->getName().str();
}

std::string errorOf(const std::string &item, const std::string &assembly) {
  Assembly code(assembly);
  specs::Compiled contract = contractWith(item);
  try {
    bindVariables(contract, code.module());
  } catch (const logic::Error &error) {
    const logic::Diagnostic &first = error.diagnostics().front();
    return first.message + (first.hint.empty() ? "" : "; " + first.hint);
  }
  return "";
}

/// Two files with a static `x` each, and two functions with a static local `n`.
constexpr const char *twoFiles = R"(
@x = internal global i32 0, !dbg !0
@x.1 = internal global i32 0, !dbg !1
@f.n = internal global i32 0, !dbg !2
@g.n = internal global i8 0, !dbg !3
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!11}
!0 = !DIGlobalVariableExpression(var: !4, expr: !DIExpression())
!1 = !DIGlobalVariableExpression(var: !5, expr: !DIExpression())
!2 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!3 = !DIGlobalVariableExpression(var: !7, expr: !DIExpression())
!4 = distinct !DIGlobalVariable(name: "x", scope: !10, file: !8, type: !12, isLocal: true, isDefinition: true)
!5 = distinct !DIGlobalVariable(name: "x", scope: !10, file: !9, type: !12, isLocal: true, isDefinition: true)
!6 = distinct !DIGlobalVariable(name: "n", scope: !13, file: !8, type: !12, isLocal: true, isDefinition: true)
!7 = distinct !DIGlobalVariable(name: "n", scope: !14, file: !9, type: !15, isLocal: true, isDefinition: true)
!8 = !DIFile(filename: "a.c", directory: "/src")
!9 = !DIFile(filename: "lib/b.c", directory: "/src")
!10 = distinct !DICompileUnit(language: DW_LANG_C11, file: !8, isOptimized: false, emissionKind: FullDebug)
!11 = !{i32 2, !"Debug Info Version", i32 3}
!12 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!13 = distinct !DISubprogram(name: "f", scope: !8, file: !8, unit: !10, spFlags: DISPFlagDefinition)
!14 = distinct !DISubprogram(name: "g", scope: !9, file: !9, unit: !10, spFlags: DISPFlagDefinition)
!15 = !DIBasicType(name: "_Bool", size: 8, encoding: DW_ATE_boolean)
)";

} // namespace

TEST_CASE("binding: a global by its name, whatever its linkage", "[passes]") {
  CHECK(boundTo("shared int x;", "@x = global i32 0\n@y = global i32 0\n") == "x");
  CHECK(boundTo("shared int x;", "@x = external global i64\n") == "x");
  CHECK(boundTo("shared int current @ x;", "@x = internal global i8 0\n") == "x");
}

TEST_CASE("binding: files and functions tell two of one name apart", "[passes]") {
  CHECK(boundTo("shared int x @ \"a.c\":x;", twoFiles) == "x");
  CHECK(boundTo("shared int x @ \"b.c\":x;", twoFiles) == "x.1");
  CHECK(boundTo("shared int x @ \"lib/b.c\":x;", twoFiles) == "x.1");
  CHECK(boundTo("shared int n @ f::n;", twoFiles) == "f.n");
  CHECK(boundTo("shared bool n @ g::n;", twoFiles) == "g.n");
  CHECK(boundTo("shared bool n @ \"b.c\":g::n;", twoFiles) == "g.n");
  CHECK(errorOf("shared int x;", twoFiles) ==
        "the code has several globals 'x'; choose one: @ \"file.c\":x");
  CHECK(errorOf("shared int n;", twoFiles) ==
        "the code has several static variables 'n'; choose the function: @ f::n");
  CHECK(errorOf("shared int n @ \"b.c\":f::n;", twoFiles) ==
        "the code has no static variable 'n' in a function 'f'");
}

TEST_CASE("binding: a global goes before a static local of its name", "[passes]") {
  CHECK(boundTo("shared int x;", "@x = global i32 0\n@f.x = internal global i32 0\n") == "x");
  CHECK(boundTo("shared int x @ f::x;", "@x = global i32 0\n@f.x = internal global i32 0\n") ==
        "f.x");
  CHECK(boundTo("shared int x;", "@f.x = internal global i32 0\n") == "f.x");
  CHECK(boundTo("shared int x;", "@f.x.3 = internal global i32 0\n") == "f.x.3");
}

TEST_CASE("binding: the C type comes from debug information", "[passes]") {
  Assembly code(twoFiles);
  specs::Compiled contract =
      contractWith("shared int n @ f::n; shared int m @ g::n; shared int x @ \"a.c\":x;");
  Binding binding = bindVariables(contract, code.module());
  REQUIRE(binding.variables.size() == 3);
  CHECK(binding.variables[0].typeIsKnown);
  CHECK_FALSE(binding.variables[0].isSigned);
  CHECK(binding.variables[0].function == "f");
  CHECK(binding.variables[1].isBool);
  CHECK(binding.variables[1].bits == 8);
  CHECK(binding.variables[2].function.empty());
  Assembly bare("@x = global i16 -1\n");
  specs::Compiled other = contractWith("shared int x;");
  Binding untyped = bindVariables(other, bare.module());
  CHECK_FALSE(untyped.variables[0].typeIsKnown);
  CHECK(untyped.variables[0].bits == 16);
  auto starts = initialValues(untyped.variables[0]);
  REQUIRE(starts.size() == 1);
  CHECK((starts[0] == logic::Wide{-1}));
}

TEST_CASE("binding: a structure of one integer is that integer", "[passes]") {
  Assembly code("%flag = type { i8 }\n%outer = type { %flag }\n"
                "@x = global %outer { %flag { i8 3 } }\n"
                "@y = internal global [2 x %flag] [%flag { i8 1 }, %flag { i8 2 }]\n"
                "@z = external global { i32 }\n"
                "define i8 @f() {\n  %v = load i8, ptr getelementptr (%flag, ptr @y, i64 1)\n"
                "  ret i8 %v\n}\n");
  specs::Compiled contract = contractWith("shared int x; shared int y[2]; shared int z;");
  Binding binding = bindVariables(contract, code.module());
  REQUIRE(binding.variables.size() == 3);
  CHECK(binding.variables[0].global->getName() == "x");
  CHECK(binding.variables[0].global->getValueType()->isIntegerTy(8));
  CHECK((initialValues(binding.variables[0]) ==
         std::vector<std::optional<logic::Wide>>{logic::Wide{3}}));
  CHECK(binding.variables[1].count == 2);
  CHECK((initialValues(binding.variables[1]) ==
         std::vector<std::optional<logic::Wide>>{logic::Wide{1}, logic::Wide{2}}));
  CHECK(binding.variables[1].global->hasInternalLinkage());
  CHECK_FALSE(binding.variables[1].global->use_empty());
  CHECK(initialValues(binding.variables[2]).empty());
  CHECK_FALSE(llvm::verifyModule(code.module()));
}

TEST_CASE("binding: what does not fit is an error with a hint", "[passes]") {
  CHECK(errorOf("shared int count;", "@cuont = global i32 0\n") ==
        "the code has no global 'count'; did you mean 'cuont'?");
  CHECK(errorOf("shared int x;", "@x = global float 0.0\n") ==
        "'x' is bound to an object that is not an integer of at most 64 bits; a contract "
        "supports integers, enums, _Bool, structures of one of these, and arrays of them");
  for (const char *type : {"{ i32, i32 }", "{ i32, [4 x i8] }", "{ i128 }", "{ ptr }", "{}"})
    CHECK(errorOf("shared int x;", std::string("@x = global ") + type + " zeroinitializer\n")
              .starts_with("'x' is bound to an object that is not an integer"));
  CHECK(errorOf("shared int x[3];", "@x = global [4 x i32] zeroinitializer\n") ==
        "'x' is an array of 3 in the contract and an array of 4 in the code");
  CHECK(errorOf("shared int x;", "@x = thread_local global i32 0\n") ==
        "'x' is bound to a thread-local object, which threads do not share");
  CHECK(errorOf("shared int x; shared int y @ x;", "@x = global i32 0\n") ==
        "'y' and 'x' are the same object in the code");
}

TEST_CASE("binding: one file of several need not mention a variable", "[passes]") {
  Assembly code("@x = global i32 0\n");
  specs::Compiled contract = contractWith("shared int x; shared int stamp;");
  Binding binding = bindVariables(contract, code.module(), Missing::Elsewhere);
  REQUIRE(binding.variables.size() == 1);
  CHECK(binding.variables[0].variable().name() == "x");
  REQUIRE(binding.elsewhere.size() == 1);
  CHECK(binding.elsewhere[0]->variable.name() == "stamp");
}

TEST_CASE("binding: the function of a thread", "[passes]") {
  Assembly code("define void @t() {\n  ret void\n}\ndeclare void @T()\n");
  specs::Compiled contract = contractWith("shared int x;");
  const specs::ThreadBinding &thread = contract.threads.front();
  CHECK(findThreadFunction(thread, code.module()) == nullptr);
  CHECK(similarFunction(thread, code.module(), {}) == "did you mean 't'?");
  CHECK(similarFunction(thread, code.module(), {&code.function("t")}).empty());
  CHECK_THROWS_AS(threadFunction(thread, code.module()), logic::Error);
  specs::Compiled named = contractWith("shared int x;", "T for t");
  CHECK(&threadFunction(named.threads.front(), code.module()) == &code.function("t"));
}
