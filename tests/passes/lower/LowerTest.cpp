// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Lower.h"

#include "logic/Error.h"
#include "tests/passes/AssemblySupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::passes::lower;
using tests::Assembly;
using Shape = std::vector<std::string>;

namespace {

/// @T with this body, in step form; @x is named.
class Thread {
public:
  explicit Thread(const std::string &body, const std::string &more = "")
      : code_("@x = global i32 0\n@other = global i32 0\n@where = global ptr null\n" + more +
              "define void @T() {\n" + body + "\n  ret void\n}\n") {
    shared_.variable = pool_.variable("", "x", pool_.intSort());
    passes::memory::BoundVariable bound;
    bound.shared = &shared_;
    bound.global = code_.module().getGlobalVariable("x");
    binding_.variables.push_back(bound);
    passes::memory::Memory memory(binding_, code_.module());
    passes::read::SourceMap sources;
    lowered = lower(code_.function("T"), "thread", memory, sources, {});
    code_.requireValid();
  }

  Shape shape() const { return tests::shapeOf(*lowered.function); }
  bool assumes(const std::string &text) const { return lowered.assumptions.contains(text); }
  /// What the guesses stand for.
  Shape guesses() const {
    Shape result;
    for (const passes::lower::Place &place : lowered.places)
      if (place.kind == PlaceKind::Guess)
        result.push_back(place.detail);
    return result;
  }

  Lowered lowered;

private:
  Assembly code_;
  logic::TermPool pool_;
  specs::SharedBinding shared_;
  passes::memory::Binding binding_;
};

std::string refused(const std::string &body, const std::string &more = "") {
  try {
    Thread thread(body, more);
  } catch (const logic::Unsupported &why) {
    return why.what();
  }
  return "";
}

const Shape step{"call understudy_step_begin", "store", "call understudy_step_end"};

} // namespace

TEST_CASE("lower: a store to a named variable is a step, another disappears", "[passes]") {
  CHECK(Thread("store i32 1, ptr @x").shape() == step);
  CHECK(Thread("store i32 1, ptr @other").shape().empty());
}

TEST_CASE("lower: what is read where nothing is known", "[passes]") {
  std::string use = "\n  store i32 %v, ptr @x";
  Thread unnamed("%v = load i32, ptr @other" + use);
  CHECK(unnamed.shape().front() == "call __VERIFIER_nondet_int");
  CHECK(unnamed.guesses() == Shape{"'other', which the contract does not name"});
  // Others really may change it.
  CHECK(Thread("%v = load volatile i32, ptr @other" + use).guesses().empty());
  CHECK(Thread("%v = load i32, ptr inttoptr (i64 4096 to ptr)" + use).guesses().empty());
}

TEST_CASE("lower: a published local has any value at each read", "[passes]") {
  Thread thread("%l = alloca i32\n store ptr %l, ptr @where\n store i32 0, ptr %l\n"
                "%v = load i32, ptr %l\n %w = load i32, ptr %l\n %s = add i32 %v, %w\n"
                "store i32 %s, ptr @x");
  CHECK(thread.guesses() == Shape(2, "'l', whose address escapes"));
}

TEST_CASE("lower: functions without body", "[passes]") {
  Thread thread("%p = call ptr @get()\n store i32 1, ptr %p", "declare ptr @get()\n");
  CHECK(thread.assumes("what get returns is none of: x"));
  CHECK(thread.assumes("get performs no thread operation, makes no callback and writes no named "
                       "variable (its body is not available)"));
  CHECK(Thread("call void @halt()\n store i32 1, ptr @x", "declare void @halt() noreturn\n")
            .shape()
            .empty());
  CHECK(refused("call void @take(ptr @x)", "declare void @take(ptr)\n") ==
        "'x' can be reached through an argument of take, whose body is not available");
  CHECK(refused("%f = load ptr, ptr @where\n call void %f()") ==
        "a call through a function pointer is not supported");
}

TEST_CASE("lower: words of the verifier", "[passes]") {
  CHECK(
      Thread("call void @reach_error()", "define void @reach_error() {\n  ret void\n}\n").shape() ==
      Shape{"call understudy_assert_fail"});
  CHECK(Thread("call void @__VERIFIER_assert(i32 0)", "declare void @__VERIFIER_assert(i32)\n")
            .lowered.assertions == 1);
  CHECK(refused("call void (...) @__VERIFIER_assume()", "declare void @__VERIFIER_assume(...)\n") ==
        "this call to __VERIFIER_assume does not fit its signature, void (integer)");
  CHECK(refused("call void @understudy_at(double 1.0)", "declare void @understudy_at(double)\n") ==
        "this call to understudy_at does not fit its signature, void (pointer)");
  CHECK(refused("call void @__VERIFIER_nondet_memory(ptr @x, i64 4)",
                "declare void @__VERIFIER_nondet_memory(ptr, i64)\n") ==
        "memory that may hold 'x' is copied or set as a whole");
}

TEST_CASE("lower: what the user declares by our names gives way", "[passes]") {
  Thread thread("%v = call i16 (...) @__VERIFIER_nondet_int()\n %w = sext i16 %v to i32\n"
                "store i32 %w, ptr @x",
                "declare i16 @__VERIFIER_nondet_int(...)\n"
                "define void @__VERIFIER_nondet_short() {\n  ret void\n}\n");
  CHECK(thread.shape().front() == "call __VERIFIER_nondet_short");
}

TEST_CASE("lower: locals are set and copied element by element", "[passes]") {
  constexpr const char *memory = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                                 "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                                 "@table = constant [4 x i32] [i32 5, i32 6, i32 7, i32 8]\n";
  // All that is left is the store of the constant.
  Thread thread("%l = alloca [4 x i32]\n"
                "call void @llvm.memset.p0.i64(ptr %l, i8 0, i64 16, i1 false)\n"
                "call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr @table, i64 8, i1 false)\n"
                "%p = getelementptr i32, ptr %l, i64 1\n"
                "%v = load i32, ptr %p\n store i32 %v, ptr @x",
                memory);
  CHECK(thread.shape() == step);
  CHECK(thread.guesses().empty());
  CHECK(refused("call void @llvm.memset.p0.i64(ptr @x, i8 0, i64 4, i1 false)", memory) ==
        "memory that may hold 'x' is copied or set as a whole");
}

TEST_CASE("lower: inline assembly", "[passes]") {
  CHECK(Thread("call void asm sideeffect \"\", \"~{memory}\"()").shape().empty());
  CHECK(refused("call void asm sideeffect \"nop\", \"\"()").empty());
  CHECK(refused("call void asm sideeffect \"rep; nop\\0Admb ish\", \"\"()").empty());
  CHECK(refused("call void asm sideeffect \"nop; ud2\", \"\"()") ==
        "inline assembly is not supported");
  CHECK(refused("call void asm sideeffect \"nopl\", \"\"()") == "inline assembly is not supported");
  CHECK(refused("call void asm sideeffect \"\", \"=*m\"(ptr elementtype(i32) @x)") ==
        "inline assembly with 'x' is not supported");
  Thread thread("%v = call i32 asm \"\", \"=r,0\"(i32 1)\n store i32 %v, ptr @x");
  CHECK(thread.guesses() == Shape{"what inline assembly computes"});
}

TEST_CASE("lower: pointers are no numbers", "[passes]") {
  Thread thread("%l = alloca i32\n %p = load ptr, ptr @where\n %c = icmp eq ptr %p, %l\n"
                "%v = zext i1 %c to i32\n store i32 %v, ptr @x");
  CHECK(thread.guesses() ==
        Shape{"'where', which the contract does not name", "a comparison of two pointers"});
}
