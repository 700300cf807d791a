// SPDX-License-Identifier: Apache-2.0
//
// What of a function has to be executed: branches, stores, assumptions and inputs, and the values
// that flow into them. Everything else has no effect, whatever it is.
#pragma once

#include "passes/encode/EncodeNumber.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace understudy::passes::encode {

enum class CallKind : uint8_t {
  Ignored,
  Note,
  StepBegin,
  StepEnd,
  ReachError,
  AssertFail,
  Violation,
  Assume,
  Input,
  LifetimeStart,
  Pure,   ///< an intrinsic without effect
  Inline, ///< a body of one block
  Unknown,
};
CallKind callKind(const llvm::CallBase &call);

std::string calleeName(const llvm::CallBase &call);
/// "'x'"
std::string quoted(llvm::StringRef name);
/// The constant first argument of a note, step or failure.
uint32_t idOf(const llvm::CallBase &call);

/// The alloca or global that the address starts from; otherwise where address arithmetic ends.
const llvm::Value *baseOf(const llvm::Value *pointer);
/// Computed anew wherever it is used: an address, not a value that needs a place.
bool isAddress(const llvm::Value *value);
bool isZero(const llvm::Value *value);

class EncodeScope {
public:
  explicit EncodeScope(const llvm::Function &function);

  const llvm::Function &function() const { return *functions_.front(); }
  /// The function itself, then everything it calls.
  const std::vector<const llvm::Function *> &functions() const { return functions_; }
  /// Blocks that can be reached; the entry first.
  const std::vector<const llvm::BasicBlock *> &blocks(const llvm::Function &function) const {
    return blocks_.at(&function);
  }
  /// Instructions that are executed, in program order.
  const std::vector<const llvm::Instruction *> &executed() const { return executed_; }
  bool isExecuted(const llvm::Instruction &instruction) const {
    return needed_.contains(&instruction);
  }

  /// The values that an executed instruction uses: addresses are taken apart, constants left out.
  static std::vector<const llvm::Value *> operandsOf(const llvm::Instruction &instruction);

private:
  std::vector<const llvm::Function *> functions_;
  std::unordered_map<const llvm::Function *, std::vector<const llvm::BasicBlock *>> blocks_;
  std::unordered_set<const llvm::Value *> needed_;
  std::vector<const llvm::Instruction *> executed_;

  void collectFunctions();
  void markNeeded();
};

} // namespace understudy::passes::encode
