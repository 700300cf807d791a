// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/KnownFunctions.h"

#include "logic/Error.h"
#include "tests/passes/AssemblySupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::passes::lower;
using tests::Assembly;

namespace {

Known meaning(const char *name) {
  const KnownFunction *row = findKnown(name);
  return row != nullptr ? row->meaning : Known::None;
}

} // namespace

TEST_CASE("known functions: names", "[passes]") {
  CHECK(meaning("__VERIFIER_atomic_begin") == Known::AtomicBegin);
  CHECK(meaning("__VERIFIER_atomic_acquire") == Known::AtomicFunction);
  CHECK(meaning("__VERIFIER_nondet_memory") == Known::NondetMemory);
  CHECK(meaning("__VERIFIER_nondet_uint") == Known::Nondet);
  CHECK(meaning("__VERIFIER_frobnicate") == Known::Refused);
  CHECK(meaning("__assert_func") == Known::AssertFail);
  CHECK(meaning("llvm.trap") == Known::AssertFail);
  CHECK(meaning("llvm.debugtrap") == Known::AssertFail);
  CHECK(meaning("llvm.ubsantrap") == Known::AssertFail);
  CHECK(meaning("pthread_mutex_lock") == Known::Lock);
  CHECK(meaning("pthread_mutex_trylock") == Known::TryLock);
  CHECK(meaning("cnd_wait") == Known::Lock);
  CHECK(meaning("sem_wait") == Known::Refused);
  CHECK(meaning("mtx_unlock") == Known::Lock);
  CHECK(meaning("sem_bump") == Known::None);
  CHECK(meaning("strlen") == Known::Computes);
  CHECK(meaning("__builtin_constant_p") == Known::MayBeConstant);
  CHECK(meaning("ffs") == Known::Computes);
  CHECK(meaning("strlen_s") == Known::None);
  CHECK(meaning("pthread_mutex_lock_all") == Known::None);
  CHECK(meaning("pthread_") == Known::None);
  CHECK(meaning("") == Known::None);
  CHECK(findKnown("longjmp")->why == "jumps between functions are not supported");
}

TEST_CASE("known functions: bodies of the code", "[passes]") {
  Assembly code("define void @abort() {\n  ret void\n}\n"
                "define void @reach_error() {\n  ret void\n}\n"
                "define void @__VERIFIER_atomic_f() {\n  ret void\n}\n"
                "define void @ordinary() {\n  ret void\n}\n"
                "declare void @exit(i32)\n");
  CHECK(meaningOf(code.function("abort")) == Known::None);
  CHECK(meaningOf(code.function("reach_error")) == Known::AssertFail);
  CHECK(meaningOf(code.function("__VERIFIER_atomic_f")) == Known::AtomicFunction);
  CHECK(meaningOf(code.function("exit")) == Known::EndsRun);
  CHECK(meaningOf(code.function("ordinary")) == Known::None);
  markAssertHooks({"ordinary"}, code.module());
  CHECK(meaningOf(code.function("ordinary")) == Known::AssertFail);
  CHECK_THROWS_AS(markAssertHooks({"ordinari"}, code.module()), logic::Error);
}

TEST_CASE("known functions: a hook that is another name", "[passes]") {
  Assembly code("@halt = alias void (), ptr @stop\n"
                "define void @stop() {\n  ret void\n}\n"
                "define void @f() {\n  call void @halt()\n  ret void\n}\n");
  markAssertHooks({"halt"}, code.module());
  CHECK(meaningOf(code.function("halt")) == Known::AssertFail);
  CHECK(meaningOf(code.function("stop")) == Known::None);
  const auto &call = llvm::cast<llvm::CallBase>(code.function("f").getEntryBlock().front());
  CHECK(calleeOf(call) == &code.function("halt"));
}

TEST_CASE("known functions: signatures", "[passes]") {
  Assembly code("declare void @__VERIFIER_assume(...)\n"
                "declare void @panic(ptr, ...)\n"
                "define void @f(ptr %p) {\n"
                "  call void (...) @__VERIFIER_assume(i32 1)\n"
                "  call void (...) @__VERIFIER_assume()\n"
                "  call void (...) @__VERIFIER_assume(double 1.0)\n"
                "  call void (...) @__VERIFIER_assume(ptr %p)\n"
                "  call void (...) @__VERIFIER_assume(i32 1, i32 2)\n"
                "  %r = call i32 (...) @__VERIFIER_assume(i32 1)\n"
                "  call void (ptr, ...) @panic(ptr %p, i32 2)\n"
                "  ret void\n}\n");
  std::vector<bool> fitting;
  for (const llvm::Instruction &instruction : code.function("f").getEntryBlock())
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      fitting.push_back(fits(*findKnown(*calleeOf(*call)), *call));
  CHECK(fitting == std::vector<bool>{true, false, false, false, false, false, true});
  CHECK(signatureText(*findKnown("__VERIFIER_assume")) == "void (integer)");
  CHECK(signatureText(*findKnown("panic")) == "void (...)");
  CHECK(signatureText(*findKnown("__assert2")) == "void (pointer, integer, pointer, pointer)");
}

TEST_CASE("known functions: the function that a call enters", "[passes]") {
  Assembly code("@again = alias void (), ptr @own\n"
                "define void @own() {\n  ret void\n}\n"
                "define void @f(ptr %p) {\n"
                "  call void @own()\n"
                "  call void (...) @own()\n"
                "  call void @again()\n"
                "  call void %p()\n"
                "  ret void\n}\n");
  std::vector<const llvm::Function *> callees;
  for (const llvm::Instruction &instruction : code.function("f").getEntryBlock())
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      callees.push_back(calleeOf(*call));
  const llvm::Function *own = &code.function("own");
  CHECK(callees == std::vector<const llvm::Function *>{own, own, own, nullptr});
}
