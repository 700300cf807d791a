// SPDX-License-Identifier: Apache-2.0
//
// Accesses to memory, rewritten into step form one by one.
#pragma once

#include "passes/Arbitrary.h"
#include "passes/AtomicSections.h"
#include "passes/Lower.h"
#include "passes/StoreChecks.h"

namespace understudy::passes {

class Rewriter {
public:
  Rewriter(Lowered &result, const Memory &memory, const AtomicSections &sections,
           SourceMap &sources, const LowerOptions &options)
      : result_(result), memory_(memory), sections_(sections), sources_(sources),
        options_(options) {}

  /// Everything but calls.
  void rewrite(llvm::Instruction &instruction);

  // For the rewriting of calls.
  Lowered &result() { return result_; }
  const Memory &memory() const { return memory_; }
  const AtomicSections &sections() const { return sections_; }
  SourceMap &sources() { return sources_; }
  const LowerOptions &options() const { return options_; }
  uint32_t addPlace(PlaceKind kind, const llvm::Instruction &at, const std::string &detail = {});
  /// Everything from the instruction on is cut off: the run ends here.
  static void endRun(llvm::Instruction &at);

private:
  Lowered &result_;
  const Memory &memory_;
  const AtomicSections &sections_;
  SourceMap &sources_;
  const LowerOptions &options_;

  void load(llvm::LoadInst &load);
  void store(llvm::StoreInst &store);
  void modify(llvm::AtomicRMWInst &modify);
  void exchange(llvm::AtomicCmpXchgInst &exchange);

  Target target(llvm::Instruction &at, llvm::Value *pointer, llvm::Type *type);
  llvm::Value *address(llvm::IRBuilder<> &builder, const Target &target);
  /// Puts the instructions from `first` to `last` (of one block, or of blocks between which control
  /// flow leads) between the begin and the end of a step, unless an atomic section does so.
  void step(llvm::Instruction &first, llvm::Instruction &last, const Target &target,
            const llvm::Instruction &origin, const std::string &plain);
  void checks(const Target &target, const StoredValue &stored, llvm::Instruction *at,
              const llvm::Instruction &origin);
  llvm::BasicBlock *violationBlock(ViolationKind kind, const Target &target,
                                   const llvm::Instruction &origin);
};

} // namespace understudy::passes
