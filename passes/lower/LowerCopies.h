// SPDX-License-Identifier: Apache-2.0
//
// Memory that is copied or set as a whole. A local that is followed gets its elements one by one;
// whatever else is written reads as any value anyway, and a named variable is refused.
#pragma once

#include "passes/lower/Rewriter.h"

#include <llvm/IR/IntrinsicInst.h>

#include <functional>

namespace understudy::passes::lower {

/// What copies or sets memory as a whole may become a call of the function of that name which the
/// code itself defines: a call of `names::ownCopy` says so, since promotion removes the copy.
void markOwnCopies(llvm::Module &module);

class LowerCopies {
public:
  explicit LowerCopies(Rewriter &rewriter) : rewriter_(rewriter) {}

  /// memcpy, memmove, memset.
  void copy(llvm::MemIntrinsic &operation);
  /// __VERIFIER_nondet_memory(pointer, bytes).
  void nondetMemory(llvm::CallBase &call);

private:
  Rewriter &rewriter_;

  using Values = std::vector<llvm::Value *>;
  void requireUnnamed(const llvm::CallBase &call, const llvm::Value *pointer);
  std::optional<memory::ElementRange> followed(const llvm::Value &pointer,
                                               const llvm::Value &bytes) const;
  Values copied(llvm::MemTransferInst &transfer, const memory::ElementRange &to);
  Values set(llvm::MemSetInst &operation, const memory::ElementRange &to);
  void store(llvm::CallBase &at, const memory::ElementRange &to, const Values &values);
  llvm::Value *unknown(llvm::CallBase &at, llvm::Type *type);
};

} // namespace understudy::passes::lower
