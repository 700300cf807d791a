// SPDX-License-Identifier: Apache-2.0
#include "passes/memory/Memory.h"

#include "logic/Error.h"
#include "tests/passes/AssemblySupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using passes::memory::Memory;
using passes::memory::Target;
using tests::Assembly;

namespace {

constexpr const char *globals = "@x = global i32 0\n"
                                "@a = global [4 x i32] zeroinitializer\n"
                                "@other = global i32 0\n"
                                "@fixed = constant i32 5\n"
                                "@shown = weak constant i32 5\n"
                                "@where = global ptr null\n"
                                "declare ptr @get()\n";

/// Code in which x and a are named.
class Named {
public:
  explicit Named(const std::string &body)
      : code(std::string(globals) + "define void @f(i1 %c, i64 %i) {\n" + body +
             "\n  ret void\n}\n") {
    shared_.resize(2);
    shared_[0].variable = pool_.variable("", "x", pool_.intSort());
    shared_[1].variable = pool_.variable("", "a", pool_.arraySort(pool_.intSort(), 4));
    const char *names[] = {"x", "a"};
    for (size_t i = 0; i < 2; ++i) {
      passes::memory::BoundVariable bound;
      bound.shared = &shared_[i];
      bound.global = code.module().getGlobalVariable(names[i]);
      bound.count = i == 0 ? 0 : 4;
      binding_.variables.push_back(bound);
    }
  }

  /// Where the access through %p goes.
  Target target(llvm::Type *type = nullptr) {
    llvm::Function &function = code.function("f");
    Memory memory(binding_, code.module());
    passes::memory::Locals locals(function);
    for (llvm::Instruction &instruction : function.getEntryBlock())
      if (instruction.getName() == "p")
        return memory.classify(&instruction,
                               type ? type : llvm::Type::getInt32Ty(code.module().getContext()),
                               *function.getEntryBlock().getTerminator(), locals, {});
    throw std::logic_error("no pointer p");
  }

  Assembly code;

private:
  logic::TermPool pool_;
  std::vector<specs::SharedBinding> shared_;
  passes::memory::Binding binding_;
};

std::string element(const char *of) {
  return std::string("%p = getelementptr i8, ptr ") + of + ", i64 0";
}

} // namespace

TEST_CASE("memory: where an access goes", "[passes]") {
  CHECK(Named(element("@x")).target().kind == Target::Kind::Named);
  CHECK(Named(element("@other")).target().kind == Target::Kind::Unnamed);
  CHECK(Named("%p = alloca i32\n store i32 1, ptr %p").target().kind == Target::Kind::Local);
  CHECK(Named("%p = alloca i32\n store ptr %p, ptr @where").target().kind == Target::Kind::Unnamed);
  CHECK(Named("%p = inttoptr i64 4096 to ptr").target().kind == Target::Kind::Device);
  CHECK(Named("%p = call ptr @get()").target().kind == Target::Kind::Unnamed);
  CHECK(Named("%p = load ptr, ptr @where").target().kind == Target::Kind::Unnamed);
}

TEST_CASE("memory: an element of a named array", "[passes]") {
  Named code("%p = getelementptr [4 x i32], ptr @a, i64 0, i64 %i");
  Target target = code.target();
  CHECK(target.kind == Target::Kind::Named);
  CHECK(target.index != nullptr);
  CHECK_THROWS_AS(Named("%p = getelementptr i8, ptr @a, i64 %i").target(), logic::Unsupported);
  CHECK_THROWS_AS(Named("%p = getelementptr i8, ptr @a, i64 2").target(), logic::Unsupported);
}

TEST_CASE("memory: only a definitive constant is one", "[passes]") {
  CHECK(Named(element("@fixed")).target().constant != nullptr);
  CHECK(Named(element("@shown")).target().constant == nullptr);
  CHECK(Named(element("@other")).target().constant == nullptr);
}

TEST_CASE("memory: a pointer that may lead to a named variable", "[passes]") {
  CHECK_THROWS_AS(Named("%p = select i1 %c, ptr @x, ptr @other").target(), logic::Unsupported);
  CHECK_THROWS_AS(Named("store ptr @x, ptr @where\n %p = load ptr, ptr @where").target(),
                  logic::Unsupported);
  CHECK_THROWS_AS(Named("store ptr @x, ptr @where\n %p = call ptr @get()").target(),
                  logic::Unsupported);
  // A number that was computed from an address is no register.
  CHECK_THROWS_AS(
      Named("%p = getelementptr i8, ptr inttoptr (i64 add (i64 ptrtoint (ptr @x to i64), i64 4) "
            "to ptr), i64 0")
          .target(),
      logic::Unsupported);
}

TEST_CASE("memory: an access of another width", "[passes]") {
  Named code(element("@x"));
  CHECK_THROWS_AS(code.target(llvm::Type::getInt16Ty(code.code.module().getContext())),
                  logic::Unsupported);
}
