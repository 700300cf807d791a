// SPDX-License-Identifier: Apache-2.0
#include "passes/Writers.h"

#include "tests/passes/SystemSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using Texts = std::vector<std::string>;

namespace {

/// Who may write x or y besides the threads T and U; @T stores to x.
Texts writers(const std::string &more) {
  tests::SystemOf system(
      "shared int x = 0; shared int y = 0; shared int z;"
      "thread T { initial S { -> D : x' == 1; } final D; }"
      "thread U { initial final S; }"
      "run T, U;",
      "@x = global i32 0\n@y = global i32 0\n@z = global i32 0\n@kept = global ptr null\n"
      "declare void @outside(ptr)\n"
      "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
      "define void @T() {\n  store i32 1, ptr @x\n  ret void\n}\n"
      "define void @U() {\n  ret void\n}\n" +
          more);
  return system->writersBesideThreads();
}

} // namespace

TEST_CASE("writers: threads and what only they call are none", "[passes]") {
  CHECK(writers("") == Texts{});
  CHECK(writers("define void @reads() {\n  %v = load i32, ptr @x\n  ret void\n}\n") == Texts{});
}

TEST_CASE("writers: a function that no thread reaches", "[passes]") {
  CHECK(writers("define void @init() {\n  store i32 5, ptr @y\n  ret void\n}\n") ==
        Texts{"init (no line) may write y but does not run concurrently with the system",
              "the initial value of y, which init (no line) may set before the threads start, is "
              "the one in the contract"});
  CHECK(
      writers("define void @clear() {\n"
              "  call void @llvm.memset.p0.i64(ptr @x, i8 0, i64 4, i1 false)\n  ret void\n}\n") ==
      Texts{"clear (no line) may write x but does not run concurrently with the system",
            "the initial value of x, which clear (no line) may set before the threads start, is "
            "the one in the contract"});
  CHECK(writers("define void @init() {\n  store i32 5, ptr @z\n  ret void\n}\n") ==
        Texts{"init (no line) may write z but does not run concurrently with the system"});
}

TEST_CASE("writers: a helper is named with the function that calls it", "[passes]") {
  CHECK(writers("define internal void @set(ptr %p) {\n  store i32 5, ptr %p\n  ret void\n}\n"
                "define void @irq() {\n  call void @set(ptr @x)\n  ret void\n}\n") ==
        Texts{"set (no line) may write x but does not run concurrently with the system",
              "the initial value of x, which set (no line) may set before the threads start, is "
              "the one in the contract"});
}

TEST_CASE("writers: calls of a thread's function are started by the run line", "[passes]") {
  CHECK(writers("define void @main() {\n  call void @T()\n  ret void\n}\n") ==
        Texts{"main (no line) calls T only to run a thread that the run line starts"});
  CHECK(writers("define void @main(ptr %start) {\n  call void %start(ptr @T)\n  ret void\n}\n") ==
        Texts{});
}

TEST_CASE("writers: assembly that may write memory", "[passes]") {
  auto withAssembly = [](const std::string &text, const std::string &clobbers) {
    return writers("define void @irq() {\n  call void asm sideeffect \"" + text + "\", \"" +
                   clobbers + "\"()\n  ret void\n}\n");
  };
  Texts listed{"irq (no line) contains assembly, which writes no named variable"};
  CHECK(withAssembly("sti", "~{memory}") == listed);
  CHECK(withAssembly("movl $$5, x", "") == listed);
  CHECK(withAssembly("movl $$5, xy", "") == Texts{});
  CHECK(withAssembly("nop", "~{flags}") == Texts{});
  CHECK(withAssembly("", "~{memory}") == Texts{}); // a barrier
}

TEST_CASE("writers: constructors leave the start values", "[passes]") {
  CHECK(writers("@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
                "[{ i32, ptr, ptr } { i32 65535, ptr @first, ptr null }]\n"
                "define internal void @first() {\n  store i32 0, ptr @x\n  ret void\n}\n") ==
        Texts{"the constructor first (no line) may write x but leaves it at its initial value in "
              "the contract"});
}

TEST_CASE("writers: an address that is handed out", "[passes]") {
  CHECK(writers("define void @give() {\n  call void @outside(ptr @y)\n  ret void\n}\n") ==
        Texts{"give (no line) passes the address of y to outside, which does not write it "
              "concurrently with the system",
              "the initial value of y, which give (no line) may set before the threads start, is "
              "the one in the contract"});
}

TEST_CASE("writers: who is told of a start value is told once", "[passes]") {
  CHECK(writers("define void @init() {\n  store i32 5, ptr @y\n  store i32 6, ptr @y\n"
                "  ret void\n}\n")
            .size() == 2);
}

TEST_CASE("writers: variables that nobody writes", "[passes]") {
  auto neverWritten = [](const std::string &contract, const std::string &store) {
    tests::SystemOf system("shared int x = 0; shared int y = 0;" + contract,
                           "@x = global i32 0\n@y = global i32 0\n@kept = global ptr null\n"
                           "define void @T() {\n  ret void\n}\n"
                           "define internal void @put(ptr %p) {\n  store i32 1, ptr %p\n"
                           "  ret void\n}\n"
                           "define void @U() {\n" +
                               store + "  ret void\n}\n");
    Texts names;
    for (const logic::Variable &variable : system->binding().neverWritten)
      names.push_back(variable.name());
    std::sort(names.begin(), names.end());
    return names;
  };
  std::string t = "thread T { initial S { -> D : x' == 1; } final D; }";
  std::string bare = t + "thread U; run T, U;";
  CHECK(neverWritten(t + "run T;", "") == Texts{"y"});
  CHECK(neverWritten(t + "environment E { initial S { -> S : havoc y; } } run T, E;", "") ==
        Texts{});
  CHECK(neverWritten(bare, "") == Texts{"y"});
  CHECK(neverWritten(bare, "  store i32 1, ptr @y\n") == Texts{});
  CHECK(neverWritten(bare, "  call void @put(ptr @y)\n") == Texts{});
  CHECK(neverWritten(bare, "  store ptr @y, ptr @kept\n") == Texts{"y"});
  CHECK(neverWritten(bare, "  store ptr @y, ptr @kept\n  %p = load ptr, ptr @kept\n"
                           "  store i32 1, ptr %p\n") == Texts{});
}

TEST_CASE("writers: callbacks are reached by those that mention them", "[passes]") {
  tests::Assembly code("@table = constant [1 x ptr] [ptr @b]\n"
                       "define void @a() {\n  ret void\n}\n"
                       "define void @b() {\n  ret void\n}\n"
                       "define void @f(ptr %p) {\n  call void @a()\n"
                       "  store ptr @table, ptr %p\n  ret void\n}\n");
  using passes::Reach;
  CHECK(passes::reachedFrom({&code.function("f")}) ==
        std::set<const llvm::Function *>{&code.function("f"), &code.function("a")});
  CHECK(passes::reachedFrom({&code.function("f")}, Reach::Mentions).size() == 3);
}
