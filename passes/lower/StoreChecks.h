// SPDX-License-Identifier: Apache-2.0
//
// Obligations of a store to a named variable: the mathematical value lies in the C type (contract
// language, section 7) and in the contract's range or enum (section 5).
#pragma once

#include "passes/Conform.h"
#include "passes/memory/Binding.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>

namespace understudy::passes::lower {

/// What is stored, and the operation behind it if the value could have left its type there.
struct StoredValue {
  llvm::Value *value = nullptr;
  /// A read-modify-write: the operation and its operands.
  std::optional<llvm::Instruction::BinaryOps> operation;
  llvm::Value *left = nullptr;
  llvm::Value *right = nullptr;
};

struct StoreCheckOptions {
  OverflowMode overflow = OverflowMode::Assume;
  /// Where a violated obligation goes: makes a block that ends the run.
  std::function<llvm::BasicBlock *(ViolationKind kind)> violation;
  /// The place of a guess: did the number wrap before it was stored?
  std::function<uint32_t()> wrapped;
};

struct StoreCheckResult {
  bool assumedInType = false; ///< an assumption to be listed was made
  bool takenByForm = false;   ///< likewise: that the code of the store was not optimised
};

/// Inserts the checks before `at`; control flow goes on at `at`. `origin` is the code's own store,
/// with its mark (`StoredSums.h`).
StoreCheckResult checkStore(const memory::BoundVariable &variable, const StoredValue &stored,
                            llvm::Instruction *at, const llvm::Instruction &origin,
                            const StoreCheckOptions &options);

} // namespace understudy::passes::lower
