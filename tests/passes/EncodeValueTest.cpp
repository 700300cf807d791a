// SPDX-License-Identifier: Apache-2.0
//
// How values and memory of C appear in the template.
#include "EncodeSupport.h"

#include "logic/Error.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tests;
using passes::encode::Cell;
using Edges = std::vector<std::string>;

namespace {

const std::string declarations = R"(
declare void @understudy_note(i32)
declare void @__VERIFIER_assume(i32)
declare i32 @__VERIFIER_nondet_int()
declare i32 @__VERIFIER_nondet_uint()
declare i64 @__VERIFIER_nondet_ulong()
declare i1 @__VERIFIER_nondet_bool()
declare ptr @__VERIFIER_nondet_pointer()
declare double @__VERIFIER_nondet_double()
@x = global i32 0
@flag = global i8 0
@out = global i32 0
@row = global [4 x i32] zeroinitializer
@bits = global [4 x i8] zeroinitializer
)";

std::vector<std::string> localNames(const compose::Template &thread) {
  std::vector<std::string> result;
  for (logic::Variable v : thread.locals)
    result.push_back(v.name() + ": " + v.sort().text());
  return result;
}

/// The relation of the only edge of a function without cuts.
std::string relation(TestEncoding &test) {
  const compose::Template &thread = test.encode();
  REQUIRE(thread.edges.size() == 1);
  return logic::smtlib::text(thread.edges[0].relation);
}

std::string refusal(const std::string &body) {
  TestEncoding test(declarations + "define void @f() {\n" + body + "  ret void\n}");
  test.addCell({"x", "int"});
  test.addCell({"out", "int"});
  try {
    test.encode();
  } catch (const logic::Unsupported &why) {
    return why.what();
  }
  return "encoded";
}

} // namespace

TEST_CASE("A flag that is only tested is a bool everywhere") {
  TestEncoding test(declarations + R"(
define void @f() {
entry:
  %a = load i8, ptr @flag
  call void @understudy_note(i32 0)
  %w = sext i8 %a to i32
  %c = icmp eq i32 %w, 0
  br i1 %c, label %yes, label %no
yes:
  store i8 1, ptr @flag
  ret void
no:
  store i8 %a, ptr @flag
  ret void
})");
  test.addCell({"flag", "bool", Cell::Meaning::Truth});
  CHECK(localNames(test.encode()) == Edges{"a: bool"});
  CHECK(test.edges() == Edges{"point 0 -> point 1: a' == flag", "point 1 -> end: !a && flag'",
                              "point 1 -> end: a && flag' == a"});
}

TEST_CASE("A true flag reads as any number but 0, a C bool as 1") {
  TestEncoding test(declarations + R"(
define void @f() {
  %a = load i8, ptr @flag
  %w = zext i8 %a to i32
  store i32 %w, ptr @out
  ret void
})");
  test.addCell({"flag", "bool", Cell::Meaning::Truth});
  test.addCell({"out", "int"});
  CHECK(relation(test) == "any i8 1' != 0 && out' == (!flag || any i8 1' > -1 ? "
                          "flag ? any i8 1' : 0 : (flag ? any i8 1' : 0) + 256)");

  TestEncoding ofBool(declarations + R"(
define void @f() {
  %a = load i8, ptr @flag
  %w = zext i8 %a to i32
  store i32 %w, ptr @out
  ret void
})");
  ofBool.addCell({"flag", "bool", Cell::Meaning::Truth, true, true});
  ofBool.addCell({"out", "int"});
  CHECK(relation(ofBool) == "out' == (flag ? 1 : 0)");
}

TEST_CASE("C's bools in memory are bools") {
  TestEncoding test(declarations + R"(
@done = internal global i8 0
define void @f() {
entry:
  %slot = alloca i8
  store i8 0, ptr %slot
  call void @understudy_note(i32 0)
  %c = call i1 @__VERIFIER_nondet_bool()
  %w = zext i1 %c to i8
  store i8 %w, ptr %slot
  call void @understudy_note(i32 1)
  %l = load i8, ptr %slot
  store i8 %l, ptr @done
  %t = trunc i8 %l to i1
  br i1 %t, label %yes, label %no
yes:
  ret void
no:
  unreachable
})");
  CHECK(localNames(test.encode()) == Edges{"slot: bool", "done: bool", "nondet_bool 1: bool"});
  CHECK(test.edges() == Edges{"point 0 -> point 1: !slot'",
                              "point 1 -> point 2: slot' == nondet_bool 1'",
                              "point 2 -> end: slot && done' == slot"});
}

TEST_CASE("Unsigned numbers wrap where C wraps") {
  TestEncoding test(declarations + R"(
define void @f() {
  %a = call i32 @__VERIFIER_nondet_uint()
  %b = add i32 %a, -1
  store i32 %b, ptr @out
  ret void
})");
  test.addCell({"out", "int", Cell::Meaning::Value, false});
  CHECK(relation(test) == "out' == (nondet_uint 1' <= 0 ? nondet_uint 1' + 4294967295 : "
                          "nondet_uint 1' - 1)");
}

TEST_CASE("Inputs of 64 bits without sign are numbers with bounds that can be evaluated") {
  TestEncoding test(declarations + R"(
define void @f() {
  %a = call i64 @__VERIFIER_nondet_ulong()
  %c = icmp ult i64 %a, 10
  %w = zext i1 %c to i32
  store i32 %w, ptr @out
  ret void
})");
  test.addCell({"out", "int"});
  CHECK(relation(test) == "nondet_ulong 1' >= 0 && "
                          "nondet_ulong 1' + -9223372036854775808 <= 9223372036854775807 && "
                          "out' == (nondet_ulong 1' < 10 ? 1 : 0)");
}

TEST_CASE("Contract arithmetic on 128 bits is exact") {
  TestEncoding test(declarations + R"(
define void @f() {
  %a = load i32, ptr @x
  %b = sext i32 %a to i128
  %c = mul i128 %b, 5000000000
  %d = add i128 %c, 1
  %e = icmp sle i128 %d, 9223372036854775808
  %w = zext i1 %e to i32
  store i32 %w, ptr @out
  ret void
})");
  test.addCell({"x", "int"});
  test.addCell({"out", "int"});
  CHECK(relation(test) == "out' == (5000000000 * x <= 9223372036854775807 ? 1 : 0)");
}

TEST_CASE("Enums, ranges and arrays of the contract") {
  TestEncoding test(declarations + R"(
define void @f() {
  %m = load i32, ptr @x
  %c = icmp eq i32 %m, 4
  %n = select i1 %c, i32 5, i32 0
  store i32 %n, ptr @x
  %o = load i32, ptr @out
  %p = getelementptr [4 x i32], ptr @row, i64 0, i32 %o
  %v = load i32, ptr %p
  store i32 3, ptr %p
  store i32 %v, ptr @out
  %q = getelementptr [4 x i8], ptr @bits, i64 0, i64 2
  store i8 7, ptr %q
  ret void
})");
  test.addCell({"x", "mode"});
  test.addCell({"out", "int 0..3"});
  test.addCell({"row", "int[4]"});
  test.addCell({"bits", "bool[4]"});
  CHECK(relation(test) == "x' == (x == busy ? gone : idle) && out' == row[out] && "
                          "row' == row[out := 3] && bits' == bits[2 := true]");
}

TEST_CASE("Local arrays are their elements") {
  TestEncoding test(declarations + R"(
@table = internal constant [2 x i32] [i32 7, i32 -1]
define void @f() {
  %a = alloca [2 x i32]
  %p = getelementptr [2 x i32], ptr %a, i64 0, i64 0
  %q = getelementptr [2 x i32], ptr %a, i64 0, i64 1
  store i32 10, ptr %p
  store i32 20, ptr %q
  call void @understudy_note(i32 0)
  %i = load i32, ptr @x
  %r = getelementptr [2 x i32], ptr %a, i64 0, i32 %i
  %v = load i32, ptr %r
  store i32 %v, ptr @out
  %t = getelementptr [2 x i32], ptr @table, i64 0, i32 %i
  %u = load i32, ptr %t
  store i32 %u, ptr %r
  ret void
})");
  test.addCell({"x", "int"});
  test.addCell({"out", "int"});
  CHECK(localNames(test.encode()) ==
        Edges{"a[0]: int -2147483648..2147483647", "a[1]: int -2147483648..2147483647"});
  CHECK(test.edges()[0] == "point 0 -> point 1: a[0]' == 10 && a[1]' == 20");
  CHECK(test.edges()[1] == "point 1 -> end: x >= 0 && x <= 1 && "
                           "a[0]' == (x == 0 ? 7 : a[0]) && "
                           "a[1]' == (x == 1 ? x == 0 ? 7 : -1 : a[1]) && "
                           "out' == (x == 0 ? a[0] : a[1])");
  CHECK(logic::smtlib::text(test.encoded.thread.initial) == "a[0] == 0 && a[1] == 0");
  CHECK(test.encoded.memory.at("a").size() == 2);
}

TEST_CASE("What was never written is anything") {
  TestEncoding test(declarations + R"(
define void @f() {
entry:
  %slot = alloca i32
  %v = load i32, ptr %slot
  %c = call i1 @__VERIFIER_nondet_bool()
  br i1 %c, label %yes, label %join
yes:
  br label %join
join:
  %p = phi i32 [ undef, %yes ], [ %v, %entry ]
  store i32 %p, ptr @out
  ret void
})");
  test.addCell({"out", "int"});
  const compose::Template &thread = test.encode();
  CHECK(logic::smtlib::text(thread.initial) == "p == 0 && !nondet_bool 1");
  CHECK(test.edges() == Edges{"point 0 -> point 1: !nondet_bool 1' && p' == slot",
                              "point 0 -> point 1: nondet_bool 1'", "point 1 -> end: out' == p"});
  CHECK(thread.edges[1].modified.size() == 2);
}

TEST_CASE("Pointers are null or not") {
  TestEncoding test(declarations + R"(
define void @f(ptr %arg) {
entry:
  %p = call ptr @__VERIFIER_nondet_pointer()
  call void @understudy_note(i32 0)
  %c = icmp eq ptr %p, null
  %d = icmp ne ptr %arg, null
  %e = icmp ne ptr @x, null
  %both = and i1 %c, %d
  %all = and i1 %both, %e
  br i1 %all, label %yes, label %no
yes:
  ret void
no:
  unreachable
})");
  CHECK(localNames(test.encode()) == Edges{"arg: bool", "p: bool", "nondet_pointer 1: int 0..1"});
  CHECK(test.edges() ==
        Edges{"point 0 -> point 1: p' == (nondet_pointer 1' != 0)", "point 1 -> end: !p && arg"});
}

TEST_CASE("What has no translation is refused only where it is needed") {
  const std::string doubles = "  %a = call double @__VERIFIER_nondet_double()\n"
                              "  %b = fmul double %a, 2.0\n"
                              "  %c = fptosi double %b to i32\n";
  CHECK(refusal(doubles) == "encoded");
  CHECK(refusal(doubles + "  store i32 %c, ptr @x\n") ==
        "floating-point arithmetic is not supported");
  const std::string product = "  %a = load i32, ptr @x\n  %b = load i32, ptr @out\n"
                              "  %c = mul nsw i32 %a, %b\n";
  CHECK(refusal(product) == "encoded");
  CHECK(refusal(product + "  store i32 %c, ptr @x\n") ==
        "a multiplication of two variables is not supported");
  CHECK(refusal("  %a = load i16, ptr @x\n  %b = zext i16 %a to i32\n  store i32 %b, ptr @x\n") ==
        "an access to 'x' with a different type is not supported");
  CHECK(refusal("  %p = call ptr @__VERIFIER_nondet_pointer()\n  store i32 0, ptr %p\n") ==
        "an access through this pointer cannot be followed");
  CHECK(refusal("  %a = ptrtoint ptr @x to i32\n  store i32 %a, ptr @x\n") ==
        "a conversion between pointer and integer is not supported");
}

TEST_CASE("A chain of operations stays small") {
  // Doubling and wrapping again and again shares its parts.
  std::string body = "  %v0 = load i32, ptr @x\n";
  for (int i = 0; i < 60; ++i)
    body += "  %v" + std::to_string(i + 1) + " = add i32 %v" + std::to_string(i) + ", %v" +
            std::to_string(i) + "\n";
  TestEncoding test(declarations + "define void @f() {\n" + body +
                    "  store i32 %v60, ptr @x\n  ret void\n}");
  test.addCell({"x", "int"});
  std::string product = "1152921504606846976 * x % 4294967296";
  CHECK(relation(test) == "x' == (" + product + " <= -2147483649 ? " + product +
                              " + 4294967296 : " + product + " <= 2147483647 ? " + product + " : " +
                              product + " - 4294967296)");
}
