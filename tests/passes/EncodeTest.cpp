// SPDX-License-Identifier: Apache-2.0
//
// Where edges begin and end, and what they say.
#include "EncodeSupport.h"

#include "logic/Error.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tests;
using Edges = std::vector<std::string>;
using Places = std::vector<std::optional<uint32_t>>;

namespace {

const std::string declarations = R"(
declare void @understudy_step_begin(i32)
declare void @understudy_step_end(i32)
declare void @understudy_assert_fail(i32)
declare void @understudy_violation(i32)
declare void @understudy_note(i32)
declare void @understudy_marker(i32)
declare void @understudy_edge(i32, i1, double)
declare void @reach_error()
declare void @__VERIFIER_assume(i32)
declare i32 @__VERIFIER_nondet_int()
declare void @other(i32)
@x = global i32 0
@y = global i32 0
)";

std::string refusal(const std::string &body) {
  TestEncoding test(declarations + body);
  test.addCell({"x", "int"});
  try {
    test.encode();
  } catch (const logic::Unsupported &why) {
    return why.what();
  }
  return "encoded";
}

std::vector<std::string> localNames(const compose::Template &thread) {
  std::vector<std::string> result;
  for (logic::Variable v : thread.locals)
    result.push_back(v.name() + ": " + v.sort().text());
  return result;
}

} // namespace

TEST_CASE("A step is one edge") {
  TestEncoding test(declarations + R"(
define void @f() {
  call void @understudy_step_begin(i32 0)
  %a = load i32, ptr @x
  %b = add nsw i32 %a, 1
  store i32 %b, ptr @x
  call void @understudy_step_end(i32 0)
  ret void
})");
  test.addCell({"x", "int"});
  test.encode();
  CHECK(test.edges() ==
        Edges{"point 0 -> point 1: x <= 2147483646 && x' == x + 1", "point 1 -> end: true"});
  CHECK(test.encoded.places == Places{0, std::nullopt});
  CHECK(test.encoded.thread.locals.empty());
}

TEST_CASE("Only values that live across a step have locals") {
  TestEncoding test(declarations + R"(
define void @f() {
  call void @understudy_step_begin(i32 0)
  %a = load i32, ptr @x
  call void @understudy_step_end(i32 0)
  %b = add nsw i32 %a, 1
  call void @understudy_step_begin(i32 1)
  store i32 %b, ptr @x
  call void @understudy_step_end(i32 1)
  ret void
})");
  test.addCell({"x", "int"});
  CHECK(localNames(test.encode()) == Edges{"a: int -2147483648..2147483647"});
  CHECK(test.edges() == Edges{"point 0 -> point 1: a' == x",
                              "point 1 -> point 2: a <= 2147483646 && x' == a + 1",
                              "point 2 -> end: true"});
  CHECK(logic::smtlib::text(test.encoded.thread.initial) == "a == 0");
}

TEST_CASE("Paths through a step are edges; there is no location inside") {
  TestEncoding test(declarations + R"(
define void @f() {
entry:
  call void @understudy_step_begin(i32 7)
  %a = load i32, ptr @x
  %c = icmp sgt i32 %a, 3
  br i1 %c, label %yes, label %join
yes:
  store i32 0, ptr @y
  br label %join
join:
  %v = phi i32 [ 1, %yes ], [ %a, %entry ]
  store i32 %v, ptr @x
  call void @understudy_step_end(i32 7)
  ret void
})");
  test.addCell({"x", "int"});
  test.addCell({"y", "int"});
  test.encode();
  CHECK(test.edges() == Edges{"point 0 -> point 1: x > 3 && x' == 1 && y' == 0",
                              "point 0 -> point 1: x <= 3", "point 1 -> end: true"});
  CHECK(test.encoded.places == Places{7, 7, std::nullopt});
}

TEST_CASE("Loops are cut where paths meet") {
  TestEncoding test(declarations + R"(
define void @f() {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %c = icmp ult i32 %i, 3
  br i1 %c, label %body, label %exit
body:
  call void @understudy_step_begin(i32 0)
  store i32 %i, ptr @x
  call void @understudy_step_end(i32 0)
  %j = add i32 %i, 1
  br label %head
exit:
  ret void
})");
  test.addCell({"x", "int"});
  CHECK(localNames(test.encode()) == Edges{"i: int 0..4294967295"});
  CHECK(test.edges() ==
        Edges{"point 0 -> point 1: i' == 0",
              "point 1 -> point 2: i < 3 && x' == (i <= 2147483647 ? i : i - 4294967296)",
              "point 1 -> end: i >= 3",
              "point 2 -> point 1: i' == (i <= 4294967294 ? i + 1 : i - 4294967295)"});
}

TEST_CASE("A loop inside a step is refused") {
  CHECK(refusal(R"(
define void @f() {
entry:
  call void @understudy_step_begin(i32 0)
  br label %loop
loop:
  %a = load i32, ptr @x
  %c = icmp eq i32 %a, 0
  br i1 %c, label %loop, label %exit
exit:
  call void @understudy_step_end(i32 0)
  ret void
})") == "a loop inside an atomic section is not supported");
}

TEST_CASE("A checker is cut at its notes, and fails at reach_error") {
  TestEncoding test(declarations + R"(
@bit = internal global i1 true
define void @f() {
entry:
  %v = call i32 @__VERIFIER_nondet_int()
  store i32 %v, ptr @x
  call void @understudy_note(i32 0)
  %a = load i32, ptr @x
  %c = icmp slt i32 %a, 0
  %b = load i1, ptr @bit
  %d = select i1 %c, i1 %b, i1 false
  store i1 %d, ptr @bit
  br i1 %d, label %fine, label %wrong
wrong:
  call void @understudy_note(i32 1)
  call void @reach_error()
  unreachable
fine:
  ret void
})");
  test.addCell({"x", "int"});
  CHECK(localNames(test.encode()) ==
        Edges{"bit: bool", "nondet_int 1: int -2147483648..2147483647"});
  CHECK(test.edges() == Edges{"point 0 -> point 1: x' == nondet_int 1'",
                              "point 1 -> end: x < 0 && bit && bit' == (x < 0 && bit)",
                              "point 1 -> point 2: !(x < 0 && bit) && bit' == (x < 0 && bit)",
                              "point 2 -> error: true"});
  CHECK(test.encoded.places == Places{0, std::nullopt, 1, 1});
  CHECK(test.encoded.thread.edges[3].failure == compose::FailureKind::Assertion);
  CHECK(logic::smtlib::text(test.encoded.thread.initial) == "bit && nondet_int 1 == 0");
  CHECK(test.encoded.memory.at("bit") == std::vector{test.encoded.thread.locals[0]});
  REQUIRE(test.encoded.inputs[0].size() == 1);
  CHECK(test.encoded.inputs[0][0].function == "__VERIFIER_nondet_int");
  CHECK(test.encoded.inputs[0][0].variable == test.encoded.thread.locals[1]);
}

TEST_CASE("Inputs share locals, and what is needed later is copied") {
  TestEncoding test(declarations + R"(
define void @f() {
  %v = call i32 @__VERIFIER_nondet_int()
  call void @understudy_note(i32 0)
  %w = call i32 @__VERIFIER_nondet_int()
  %u = call i32 @__VERIFIER_nondet_int()
  %sum = sub i32 %v, %w
  %t = trunc i32 %sum to i8
  %s = sext i8 %t to i32
  store i32 %s, ptr @x
  call void @understudy_note(i32 1)
  ret void
})");
  test.addCell({"x", "int"});
  CHECK(localNames(test.encode()) == Edges{"v: int -2147483648..2147483647",
                                           "nondet_int 1: int -2147483648..2147483647",
                                           "nondet_int 2: int -2147483648..2147483647"});
  CHECK(test.edges()[0] == "point 0 -> point 1: v' == nondet_int 1'");
  CHECK(test.edges()[1] ==
        "point 1 -> point 2: x' == (v - nondet_int 1' + 4294967424) % 256 - 128");
  REQUIRE(test.encoded.inputs[1].size() == 2);
  CHECK(test.encoded.inputs[1][1].variable.name() == "nondet_int 2");
  CHECK(test.encoded.thread.edges[1].modified.size() == 3);
}

TEST_CASE("Values of one variable share a local while only one of them lives") {
  TestEncoding test(declarations + R"(
define void @f() {
  %v.0 = load i32, ptr @x
  %w = load i32, ptr @x
  call void @understudy_note(i32 0)
  %v.1 = sub nsw i32 %v.0, %w
  call void @understudy_note(i32 1)
  store i32 %v.1, ptr @x
  %v.2 = load i32, ptr @y
  call void @understudy_note(i32 2)
  store i32 %v.1, ptr @x
  store i32 %v.2, ptr @y
  ret void
})");
  test.addCell({"x", "int"});
  test.addCell({"y", "int"});
  CHECK(localNames(test.encode()) == Edges{"v: int -2147483648..2147483647",
                                           "w: int -2147483648..2147483647",
                                           "v #2: int -2147483648..2147483647"});
  CHECK(test.edges() == Edges{"point 0 -> point 1: v' == x && w' == x",
                              "point 1 -> point 2: v - w >= -2147483648 && v - w <= 2147483647 && "
                              "v' == v - w",
                              "point 2 -> point 3: v #2' == y && x' == v",
                              "point 3 -> end: x' == v && y' == v #2"});
}

TEST_CASE("Failures of the code have their kinds, and places their words") {
  TestEncoding test(declarations + R"(
define void @f(i1 %c, i1 %unused) {
entry:
  br i1 %c, label %a, label %b
a:
  call void @understudy_assert_fail(i32 0)
  unreachable
b:
  call void @understudy_violation(i32 1)
  unreachable
})");
  test.places.resize(1);
  test.places[0].text = "assert(ready)";
  CHECK(localNames(test.encode()) == Edges{"c: bool"});
  CHECK(test.edges() == Edges{"point 0 -> error: c", "point 0 -> error: !c"});
  CHECK(test.encoded.thread.edges[0].failure == compose::FailureKind::Assertion);
  CHECK(test.encoded.thread.edges[1].failure == compose::FailureKind::OutOfRange);
  CHECK(test.encoded.thread.edges[0].text == "assert(ready)");
  CHECK(test.encoded.places == Places{0, 1});
  CHECK(logic::smtlib::text(test.encoded.thread.initial) == "true");
}

TEST_CASE("Assumptions are guards, and impossible ways no edges") {
  TestEncoding test(declarations + R"(
define void @f() {
entry:
  %v = call i32 @__VERIFIER_nondet_int()
  %c = icmp ne i32 %v, 4
  %z = zext i1 %c to i32
  call void @__VERIFIER_assume(i32 %z)
  br i1 %c, label %a, label %b
a:
  ret void
b:
  call void @reach_error()
  unreachable
})");
  test.encode();
  CHECK(test.edges() == Edges{"point 0 -> end: nondet_int 1' != 4"});
}

TEST_CASE("Ways to one block are one way") {
  TestEncoding test(declarations + R"(
define void @f() {
entry:
  %v = call i32 @__VERIFIER_nondet_int()
  switch i32 %v, label %other [ i32 1, label %a i32 5, label %a i32 -1, label %b ]
a:
  call void @understudy_note(i32 0)
  ret void
b:
  call void @abort()
  unreachable
other:
  call void @understudy_note(i32 1)
  ret void
}
define internal void @abort() {
  unreachable
})");
  test.encode();
  CHECK(test.edges() == Edges{"point 0 -> point 1: nondet_int 1' == 1 || nondet_int 1' == 5",
                              "point 0 -> point 2: nondet_int 1' != 1 && nondet_int 1' != 5 && "
                              "nondet_int 1' != -1",
                              "point 1 -> end: true", "point 2 -> end: true"});
}

TEST_CASE("Functions of one block are followed, ours are ignored, others refused") {
  TestEncoding test(declarations + R"(
define internal i32 @next(i32 %v, ptr %where) {
  %w = call i32 @twice(i32 %v)
  %old = load i32, ptr %where
  store i32 %w, ptr %where
  ret i32 %old
}
define internal i32 @twice(i32 %v) {
  %w = mul nsw i32 %v, 2
  ret i32 %w
}
define void @f() {
  %a = load i32, ptr @y
  %b = call i32 @next(i32 %a, ptr @x)
  %d = fadd double 0.0, 1.0
  call void @understudy_edge(i32 1, i1 true, double %d)
  call void @understudy_marker(i32 3)
  store i32 %b, ptr @y
  ret void
})");
  test.addCell({"x", "int"});
  test.addCell({"y", "int"});
  test.encode();
  CHECK(test.edges() == Edges{"point 0 -> end: y >= -1073741824 && y <= 1073741823 && "
                              "y' == x && x' == 2 * y"});
  CHECK(refusal("define void @f() {\n  call void @other(i32 1)\n  ret void\n}") ==
        "the call to 'other' cannot be followed");
  CHECK(refusal("define void @f() {\n  call void asm \"nop\", \"\"()\n  ret void\n}") ==
        "inline assembly is not supported");
  CHECK(refusal(R"(
define internal void @again() {
  call void @again()
  ret void
}
define void @f() {
  call void @again()
  ret void
})") == "recursion through 'again' is not supported");
}

TEST_CASE("Locations and edges know their lines") {
  TestEncoding test(declarations + R"(
define void @f() !dbg !4 {
  %a = load i32, ptr @x, !dbg !5
  call void @understudy_note(i32 0), !dbg !5
  store i32 %a, ptr @y, !dbg !6
  call void @understudy_note(i32 1), !dbg !6
  ret void, !dbg !7
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)
!2 = !DIFile(filename: "a.c", directory: "nowhere", source: "void f(void) {\0A  int a = x; y = a; // copy\0A}\0A")
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 11, scope: !4)
!6 = !DILocation(line: 2, column: 14, scope: !4)
!7 = !DILocation(line: 3, column: 1, scope: !4)
)");
  test.addCell({"x", "int"});
  test.addCell({"y", "int"});
  const compose::Template &thread = test.encode();
  CHECK(test.edges() ==
        Edges{"line 2 -> line 2: a' == x", "line 2 -> line 3: y' == a", "line 3 -> end: true"});
  CHECK(thread.range.text() == "a.c:1:1");
  CHECK(thread.edges[0].range.text() == "a.c:2:11");
  CHECK(thread.edges[0].text == "int a = x");
  CHECK(thread.edges[1].text == "y = a");
}

namespace {

/// Every step adds to a local and to x; every tenth is followed by a branch.
std::string manySteps(unsigned count) {
  std::string text = "define void @f() {\nblock0:\n";
  std::string sum = "0";
  unsigned next = 0;
  auto define = [&](const std::string &operation) {
    std::string name = "%" + std::to_string(next++);
    text += "  " + name + " = " + operation + "\n";
    return name;
  };
  for (unsigned i = 0; i < count; ++i) {
    std::string id = "(i32 " + std::to_string(i) + ")\n";
    text += "  call void @understudy_step_begin" + id;
    std::string old = define("load i32, ptr @x");
    text += "  store i32 " + define("add i32 " + old + ", 1") + ", ptr @x\n";
    text += "  call void @understudy_step_end" + id;
    sum = define("add i32 " + sum + ", " + old);
    if (i % 10 != 9)
      continue;
    std::string block = std::to_string(i / 10);
    std::string after = std::to_string(i / 10 + 1);
    text += "  br i1 " + define("icmp slt i32 " + sum + ", 100") + ", label %yes" + block +
            ", label %block" + after + "\nyes" + block + ":\n  br label %block" + after +
            "\nblock" + after + ":\n";
    sum = define("phi i32 [ 7, %yes" + block + " ], [ " + sum + ", %block" + block + " ]");
  }
  return text + "  store i32 " + sum + ", ptr @y\n  ret void\n}\n";
}

} // namespace

TEST_CASE("Many steps make as many edges") {
  TestEncoding test(declarations + manySteps(10000));
  test.addCell({"x", "int"});
  test.addCell({"y", "int"});
  const compose::Template &thread = test.encode();
  // One for each step, two for each branch, one to the end.
  CHECK(thread.edges.size() == 10000 + 2000 + 1);
  CHECK(thread.locations.size() == 1 + 10000 + 1000 + 1);
  CHECK(localNames(thread) == Edges{"temporary: int -2147483648..2147483647",
                                    "temporary #2: int -2147483648..2147483647"});
}
