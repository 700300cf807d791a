// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/AtomicSections.h"

#include "logic/Error.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace understudy::passes::lower {

namespace {

Known calledBy(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call != nullptr ? calleeOf(*call) : nullptr;
  return callee != nullptr ? meaningOf(*callee) : Known::None;
}

} // namespace

AtomicSections::AtomicSections(const llvm::Function &function, read::SourceMap &sources) {
  struct Entry {
    unsigned depth = 0;
    const llvm::Instruction *begin = nullptr;
    bool operator==(const Entry &) const = default;
  };
  std::map<const llvm::BasicBlock *, Entry> entries{{&function.getEntryBlock(), {}}};
  std::vector<const llvm::BasicBlock *> work{&function.getEntryBlock()};
  while (!work.empty()) {
    const llvm::BasicBlock *block = work.back();
    work.pop_back();
    auto [depth, begin] = entries.at(block);
    for (const llvm::Instruction &instruction : *block) {
      Known known = calledBy(instruction);
      if (known == Known::AtomicBegin && depth++ == 0) {
        begin = &instruction;
        borders_[&instruction] = begin;
      }
      if (known == Known::AtomicEnd && depth == 0)
        throw logic::Unsupported("an atomic section ends without having begun",
                                 sources.range(instruction));
      if (known == Known::AtomicEnd && --depth == 0)
        borders_[&instruction] = begin;
      if (depth > 0)
        inside_.insert(&instruction);
      if (depth > 0 && (llvm::isa<llvm::ReturnInst>(instruction) || known == Known::ThreadExit))
        throw logic::Unsupported("the function returns inside an atomic section",
                                 sources.range(instruction));
    }
    for (const llvm::BasicBlock *next : llvm::successors(block)) {
      Entry leaving{depth, depth > 0 ? begin : nullptr};
      auto [entry, isNew] = entries.emplace(next, leaving);
      if (isNew)
        work.push_back(next);
      else if (entry->second != leaving)
        throw logic::Unsupported("an atomic section begins or ends only on some paths",
                                 sources.range(*block->getTerminator()));
    }
  }
}

} // namespace understudy::passes::lower
