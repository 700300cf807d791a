// SPDX-License-Identifier: Apache-2.0
//
// Accesses to memory, rewritten into step form one by one.
#pragma once

#include "passes/lower/Arbitrary.h"
#include "passes/lower/AtomicSections.h"
#include "passes/lower/Lower.h"
#include "passes/lower/StoreChecks.h"

namespace understudy::passes::lower {

class Rewriter {
public:
  Rewriter(Lowered &result, const memory::Memory &memory, const memory::Locals &locals,
           const AtomicSections &sections, read::SourceMap &sources, const LowerOptions &options)
      : result_(result), memory_(memory), locals_(locals), sections_(sections), sources_(sources),
        options_(options) {}

  /// Everything but calls.
  void rewrite(llvm::Instruction &instruction);

  // For the rewriting of calls.
  Lowered &result() { return result_; }
  const memory::Memory &memory() const { return memory_; }
  const memory::Locals &locals() const { return locals_; }
  const AtomicSections &sections() const { return sections_; }
  read::SourceMap &sources() { return sources_; }
  const LowerOptions &options() const { return options_; }
  uint32_t addPlace(PlaceKind kind, const llvm::Instruction &at, const std::string &detail = {});
  /// The id of a guess of the value that the instruction would have.
  uint32_t addGuess(const llvm::Instruction &at, const std::string &what);
  /// Everything from the instruction on is cut off: the run ends here.
  static void endRun(llvm::Instruction &at);

private:
  Lowered &result_;
  const memory::Memory &memory_;
  const memory::Locals &locals_;
  const AtomicSections &sections_;
  read::SourceMap &sources_;
  const LowerOptions &options_;

  void load(llvm::LoadInst &load);
  void store(llvm::StoreInst &store);
  void modify(llvm::AtomicRMWInst &modify);
  void exchange(llvm::AtomicCmpXchgInst &exchange);
  void pointerValue(llvm::Instruction &instruction);
  llvm::Value *tableValue(llvm::LoadInst &load, const llvm::GlobalVariable &table);
  static llvm::Value *neverWrittenValue(llvm::IRBuilder<> &builder, llvm::LoadInst &read,
                                        const memory::BoundVariable &variable);
  llvm::Value *unnamedValue(llvm::Instruction &read, llvm::Type *type,
                            const memory::Target &target);

  void noteOutside(const llvm::Instruction &at, const llvm::Value *pointer, llvm::Type *type);
  memory::Target target(llvm::Instruction &at, llvm::Value *pointer, llvm::Type *type);
  void requireIndivisible(const llvm::Instruction &at, const memory::Target &target,
                          llvm::Align alignment);
  llvm::Value *address(llvm::IRBuilder<> &builder, const memory::Target &target);
  /// Puts the instructions from `first` to `last` (of one block, or of blocks between which control
  /// flow leads) between the begin and the end of a step, unless an atomic section does so.
  void step(llvm::Instruction &first, llvm::Instruction &last, const memory::Target &target,
            const llvm::Instruction &origin, const char *how, llvm::AtomicOrdering ordering);
  void checks(const memory::Target &target, const StoredValue &stored, llvm::Instruction *at,
              const llvm::Instruction &origin);
  void requireUnchanged(const memory::Target &target, const StoredValue &stored,
                        llvm::Instruction *at, const llvm::Instruction &origin);
  void needLock(const std::string &lock, const memory::Target &target, llvm::Instruction *at,
                const llvm::Instruction &origin);
  llvm::BasicBlock *violationBlock(ViolationKind kind, const memory::Target &target,
                                   const llvm::Instruction &origin);
};

} // namespace understudy::passes::lower
