// SPDX-License-Identifier: Apache-2.0
#include "passes/memory/Escape.h"

#include "tests/passes/AssemblySupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using passes::memory::Local;
using tests::Assembly;

namespace {

/// How the local %l of `void @f()` with this body is treated; %i is any i64.
Local localIn(const std::string &body, const std::string &type = "i32") {
  Assembly code("@g = external global ptr\n"
                "@n = external global i64\n"
                "declare void @take(ptr)\n"
                "declare void @__VERIFIER_nondet_memory(ptr, i64)\n"
                "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                "define void @own(ptr %p) {\n  ret void\n}\n"
                "define void @f(i64 %i, i1 %c, ptr %other) {\n  %l = alloca " +
                type + "\n" + body + "\n  ret void\n}\n");
  llvm::Function &function = code.function("f");
  passes::memory::Locals locals(function);
  for (const llvm::Instruction &instruction : function.getEntryBlock())
    if (instruction.getName() == "l")
      return locals.of(llvm::cast<llvm::AllocaInst>(instruction));
  throw std::logic_error("no local l");
}

} // namespace

TEST_CASE("escape: whole accesses are followed", "[passes]") {
  CHECK(localIn("store i32 1, ptr %l\n %v = load i32, ptr %l") == Local::Followed);
  CHECK(localIn("%v = atomicrmw add ptr %l, i32 1 seq_cst") == Local::Followed);
  CHECK(localIn("%v = cmpxchg ptr %l, i32 1, i32 2 seq_cst seq_cst") == Local::Followed);
  CHECK(localIn("%p = getelementptr [4 x i32], ptr %l, i64 0, i64 %i\n store i32 1, ptr %p",
                "[4 x i32]") == Local::Followed);
  CHECK(localIn("%c2 = icmp eq ptr %l, %other\n store i32 1, ptr %l") == Local::Followed);
}

TEST_CASE("escape: other accesses are not followed, but nobody else knows the local", "[passes]") {
  CHECK(localIn("store i16 1, ptr %l") == Local::Loose);
  CHECK(localIn("%v = load volatile i32, ptr %l") == Local::Loose);
  CHECK(localIn("store ptr null, ptr %l", "ptr") == Local::Loose);
  CHECK(localIn("%p = getelementptr i8, ptr %l, i64 1\n store i32 1, ptr %p", "[4 x i32]") ==
        Local::Loose);
  CHECK(localIn("%p = getelementptr i8, ptr %l, i64 %i\n store i32 1, ptr %p", "[4 x i32]") ==
        Local::Loose);
  CHECK(localIn("%p = select i1 %c, ptr %l, ptr %other\n store i32 1, ptr %p") == Local::Loose);
  CHECK(localIn("%v = load i32, ptr %l", "[5000 x i32]") == Local::Loose);
  CHECK(localIn("%v = load i32, ptr %l", "{ i32, i32 }") == Local::Loose);
}

TEST_CASE("escape: what others can know", "[passes]") {
  CHECK(localIn("store ptr %l, ptr @g") == Local::Escaped);
  CHECK(localIn("%q = alloca ptr\n store ptr %l, ptr %q") == Local::Escaped);
  CHECK(localIn("%p = getelementptr i32, ptr %l, i64 2\n store ptr %p, ptr @g", "[4 x i32]") ==
        Local::Escaped);
  CHECK(localIn("%v = ptrtoint ptr %l to i64\n store i64 %v, ptr @n") == Local::Escaped);
  CHECK(localIn("call void @take(ptr %l)") == Local::Escaped);
  CHECK(localIn("call void @own(ptr %l)") == Local::Escaped); // not inlined
  CHECK(localIn("call void %other(ptr %l)") == Local::Escaped);
  CHECK(localIn("%v = atomicrmw xchg ptr @g, ptr %l seq_cst") == Local::Escaped);
  CHECK(localIn("%v = cmpxchg ptr @g, ptr %l, ptr null seq_cst seq_cst") == Local::Escaped);
  CHECK(localIn("%v = cmpxchg ptr @g, ptr null, ptr %l seq_cst seq_cst") == Local::Escaped);
  CHECK(localIn("%p = select i1 %c, ptr %l, ptr %other\n store ptr %p, ptr @g") == Local::Escaped);
  CHECK(localIn("store ptr %l, ptr %l", "ptr") == Local::Escaped);
  CHECK(localIn("call void asm sideeffect \"\", \"r\"(ptr %l)") == Local::Escaped);
}

TEST_CASE("escape: memory that is set as a whole", "[passes]") {
  auto memset = [](const std::string &bytes) {
    return "call void @llvm.memset.p0.i64(ptr %l, i8 0, i64 " + bytes + ", i1 false)";
  };
  CHECK(localIn(memset("16"), "[4 x i32]") == Local::Followed);
  CHECK(localIn(memset("6"), "[4 x i32]") == Local::Loose);
  CHECK(localIn(memset("20"), "[4 x i32]") == Local::Loose);
  CHECK(localIn(memset("%i"), "[4 x i32]") == Local::Loose);
  CHECK(localIn(memset("2000"), "[2000 x i8]") == Local::Loose);
  CHECK(localIn("call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr %other, i64 4, i1 false)") ==
        Local::Followed);
  // What is read by a copy does not matter to the one that is read.
  CHECK(localIn("call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %l, i64 %i, i1 false)") ==
        Local::Followed);
  CHECK(localIn("call void @__VERIFIER_nondet_memory(ptr %l, i64 4)") == Local::Followed);
  CHECK(localIn("call void @__VERIFIER_nondet_memory(ptr %l, i64 3)") == Local::Loose);
}

TEST_CASE("escape: ranges of whole elements", "[passes]") {
  Assembly code("define void @f(ptr %p) {\n"
                "  %l = alloca [4 x i32]\n"
                "  %two = getelementptr i32, ptr %l, i64 2\n"
                "  %before = getelementptr i32, ptr %l, i64 -1\n"
                "  ret void\n}\n");
  llvm::Function &function = code.function("f");
  const llvm::DataLayout &layout = code.module().getDataLayout();
  auto at = function.getEntryBlock().begin();
  const llvm::Value &local = *at++;
  const llvm::Value &two = *at++;
  const llvm::Value &before = *at;
  auto bytes = [&](uint64_t n) -> const llvm::Value & {
    return *llvm::ConstantInt::get(llvm::Type::getInt64Ty(code.module().getContext()), n);
  };
  auto range = passes::memory::rangeOf(two, bytes(8), layout);
  REQUIRE(range);
  CHECK(range->local == &local);
  CHECK(range->first == 2);
  CHECK(range->count == 2);
  CHECK_FALSE(passes::memory::rangeOf(two, bytes(12), layout));
  CHECK_FALSE(passes::memory::rangeOf(before, bytes(4), layout));
  CHECK_FALSE(passes::memory::rangeOf(*function.getArg(0), bytes(4), layout));
}

TEST_CASE("escape: addresses of globals", "[passes]") {
  auto escapes = [](const std::string &code, const std::string &more = "") {
    Assembly module("@x = global i32 0\n@g = external global ptr\n" + more +
                    "declare void @take(ptr)\n"
                    "declare void @pthread_exit(ptr)\n"
                    "define void @read(ptr %p) {\n  %v = load i32, ptr %p\n  ret void\n}\n"
                    "define void @keep(ptr %p) {\n  store ptr %p, ptr @g\n  ret void\n}\n"
                    "define void @f() {\n" +
                    code + "\n  ret void\n}\n");
    return passes::memory::addressEscapes(*module.module().getGlobalVariable("x"));
  };
  CHECK_FALSE(escapes("store i32 1, ptr @x"));
  CHECK_FALSE(escapes("call void @read(ptr @x)"));
  CHECK_FALSE(escapes("", "@llvm.used = appending global [1 x ptr] [ptr @x]\n"));
  CHECK(escapes("call void @keep(ptr @x)"));
  CHECK(escapes("call void @take(ptr @x)"));
  CHECK(escapes("store ptr @x, ptr @g"));
  CHECK(escapes("call void @pthread_exit(ptr @x)"));
  CHECK(escapes("", "@where = global ptr @x\n"));
  // Another name is followed; one that may be replaced is not.
  CHECK_FALSE(escapes("store i32 1, ptr @y", "@y = alias i32, ptr @x\n"));
  CHECK(escapes("store ptr @y, ptr @g", "@y = alias i32, ptr @x\n"));
  CHECK(escapes("", "@y = weak alias i32, ptr @x\n"));
}
