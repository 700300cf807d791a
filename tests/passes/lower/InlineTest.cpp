// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Inline.h"

#include "logic/Error.h"
#include "tests/passes/AssemblySupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::passes::lower;
using tests::Assembly;
using Shape = std::vector<std::string>;

namespace {

/// What is left of @T, inlined.
Shape inlined(const std::string &code, const InlineOptions &options = {}) {
  Assembly assembly(code);
  passes::read::SourceMap sources;
  Inlined result = inlineThread(assembly.function("T"), "thread", sources, options);
  assembly.requireValid();
  return tests::shapeOf(*result.function);
}

/// Why @T cannot be inlined. The module must be as before.
std::string refused(const std::string &code) {
  Assembly assembly(code);
  passes::read::SourceMap sources;
  size_t bodies = assembly.bodies();
  try {
    inlineThread(assembly.function("T"), "thread", sources, {});
  } catch (const logic::Unsupported &why) {
    CHECK(assembly.bodies() == bodies);
    return why.what();
  }
  return "";
}

constexpr const char *setter = "@x = global i32 0\n"
                               "define void @set() {\n  store i32 7, ptr @x\n  ret void\n}\n";

} // namespace

TEST_CASE("inline: a callback in a struct of the caller", "[passes]") {
  CHECK(inlined(std::string(setter) +
                "define void @finish(ptr %r) {\n  %f = load ptr, ptr %r\n  call void %f()\n"
                "  ret void\n}\n"
                "define void @T() {\n  %r = alloca { ptr, i32 }\n  store ptr @set, ptr %r\n"
                "  call void @finish(ptr %r)\n  ret void\n}\n") == Shape{"store"});
}

TEST_CASE("inline: a constant table is read, a variable or volatile one is not", "[passes]") {
  auto through = [](const std::string &table, const std::string &load) {
    return inlined(std::string(setter) + "@table = " + table + " [1 x ptr] [ptr @set]\n" +
                   "define void @T() {\n  %f = " + load +
                   " ptr, ptr @table\n  call void %f()\n  ret void\n}\n");
  };
  CHECK(through("constant", "load") == Shape{"store"});
  CHECK(through("global", "load") == Shape{"load", "call f.i"});
  CHECK(through("weak constant", "load") == Shape{"load", "call f.i"});
  CHECK(through("constant", "load volatile") == Shape{"load", "call f.i"});
}

TEST_CASE("inline: a callback that gets the structure in which it lies", "[passes]") {
  auto calls = [](const std::string &between) {
    return inlined("@kept = global ptr null\n@x = global i32 0\ndeclare void @outside(ptr)\n"
                   "declare void @other()\n"
                   "define internal void @go(ptr %j) {\n  store i32 1, ptr @x\n  ret void\n}\n"
                   "define void @T(i1 %c, ptr %q) {\n  %a = alloca { i32, ptr }\n"
                   "  %p = getelementptr { i32, ptr }, ptr %a, i32 0, i32 1\n"
                   "  store ptr @go, ptr %p\n" +
                   between + "  %f = load ptr, ptr %p\n  call void %f(ptr %a)\n  ret void\n}\n");
  };
  auto isFollowed = [&](const std::string &between) {
    Shape shape = calls(between);
    return std::none_of(shape.begin(), shape.end(),
                        [](const std::string &part) { return part.starts_with("call f"); });
  };
  CHECK(isFollowed(""));
  CHECK(isFollowed("  store i32 3, ptr %a\n  call void @other()\n  store ptr null, ptr %q\n"));
  CHECK(isFollowed("  br i1 %c, label %l, label %r\nl:\n  store i32 3, ptr %a\n  br label %r\n"
                   "r:\n"));
  CHECK(isFollowed("  br label %l\nl:\n  store i32 3, ptr %a\n"
                   "  br i1 %c, label %l, label %r\nr:\n"));
  CHECK_FALSE(isFollowed("  store ptr %a, ptr @kept\n"));
  CHECK_FALSE(isFollowed("  call void @outside(ptr %a)\n"));
  CHECK_FALSE(isFollowed("  store i64 7, ptr %p\n"));
  CHECK_FALSE(isFollowed("  store ptr %q, ptr %p\n"));
  CHECK_FALSE(isFollowed("  %e = getelementptr i8, ptr %a, i64 4\n  store i64 7, ptr %e\n"));
  CHECK_FALSE(isFollowed("  br i1 %c, label %l, label %r\nl:\n  store ptr %q, ptr %p\n"
                         "  br label %r\nr:\n"));
  CHECK_FALSE(isFollowed("  br label %l\nl:\n  %g = load ptr, ptr %p\n  call void %g(ptr %a)\n"
                         "  br i1 %c, label %l, label %r\nr:\n"));
}

TEST_CASE("inline: recursion, also through a callback", "[passes]") {
  CHECK(refused("define void @f() {\n  call void @T()\n  ret void\n}\n"
                "define void @T() {\n  call void @f()\n  ret void\n}\n") ==
        "recursion: T calls f calls T");
  CHECK(refused("define void @f(ptr %g) {\n  call void %g(ptr %g)\n  ret void\n}\n"
                "define void @T() {\n  call void @f(ptr @f)\n  ret void\n}\n") ==
        "recursion: f calls f");
  // The same function twice is no recursion.
  CHECK(inlined(std::string(setter) +
                "define void @T() {\n  call void @set()\n  call void @set()\n  ret void\n}\n") ==
        Shape{"store", "store"});
}

TEST_CASE("inline: a call without prototype takes the type of the definition", "[passes]") {
  CHECK(inlined(std::string(setter) +
                "define void @T() {\n  call void (...) @set()\n  ret void\n}\n") == Shape{"store"});
  CHECK(refused(std::string(setter) +
                "define void @T() {\n  call void (i32, ...) @set(i32 1)\n  ret void\n}\n")
            .starts_with("the call to set does not fit its definition"));
}

TEST_CASE("inline: an atomic function lies between begin and end", "[passes]") {
  CHECK(inlined("@x = global i32 0\n"
                "declare void @__VERIFIER_atomic_begin(...)\n"
                "define void @__VERIFIER_atomic_set() {\n  store i32 7, ptr @x\n  ret void\n}\n"
                "define void @T() {\n  call void @__VERIFIER_atomic_set()\n  ret void\n}\n") ==
        Shape{"call __VERIFIER_atomic_begin", "store", "call __VERIFIER_atomic_end"});
}

TEST_CASE("inline: an action stands before the body", "[passes]") {
  CHECK(inlined(std::string(setter) + "define void @T() {\n  call void @set()\n  ret void\n}\n",
                {{"set"}}) == Shape{"call understudy_call_set", "store"});
}

TEST_CASE("inline: weak bodies are listed", "[passes]") {
  Assembly code("define weak void @hook() {\n  ret void\n}\n"
                "define linkonce_odr void @same() {\n  ret void\n}\n"
                "define available_externally void @inlined() {\n  ret void\n}\n"
                "define void @T() {\n  call void @hook()\n  call void @same()\n"
                "  call void @inlined()\n  ret void\n}\n");
  passes::read::SourceMap sources;
  Inlined result = inlineThread(code.function("T"), "thread", sources, {});
  CHECK(result.assumptions ==
        std::set<std::string>{"the weak function hook (no line) is not overridden "
                              "at link time"});
  CHECK(tests::shapeOf(*result.function).empty());
}

TEST_CASE("inline: constructs that have no meaning here", "[passes]") {
  CHECK(refused("define void @T(ptr %p) {\n  indirectbr ptr %p, [label %a]\na:\n  ret void\n}\n") ==
        "a computed goto is not supported");
  CHECK(refused("define void @T() {\n  callbr void asm \"\", \"!i\"() to label %a [label %a]\n"
                "a:\n  ret void\n}\n") == "inline assembly that jumps (asm goto) is not supported");
  CHECK(refused("declare void @llvm.va_start(ptr)\n"
                "define void @g(...) {\n  %l = alloca i8\n  call void @llvm.va_start(ptr %l)\n"
                "  ret void\n}\n"
                "define void @T() {\n  call void (...) @g()\n  ret void\n}\n") ==
        "a variable argument list that is not a local is not supported");
}
