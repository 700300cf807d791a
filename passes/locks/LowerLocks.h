// SPDX-License-Identifier: Apache-2.0
//
// Operations on locks and conditions, rewritten into step form. Those on a lock that the contract
// names are actions of the code; the others are local.
#pragma once

#include "passes/lower/Rewriter.h"

namespace understudy::passes::locks {

class LowerLocks {
public:
  explicit LowerLocks(lower::Rewriter &rewriter) : rewriter_(rewriter) {}

  /// A call of a function of the table (`KnownFunctions.h`), Lock or TryLock.
  void rewrite(llvm::CallBase &call, const std::string &name);

private:
  lower::Rewriter &rewriter_;

  void unnamed(llvm::CallBase &call, const std::string &name);
  void assumeOther(const llvm::CallBase &call);
  void onMutex(llvm::CallBase &call, const std::string &name, const memory::BoundLock &mutex);
  void onCondition(llvm::CallBase &call, const std::string &name,
                   const memory::BoundLock *condition);
  void lock(llvm::CallBase &call, const std::string &name, const memory::BoundLock &mutex);
  void tryLock(llvm::CallBase &call, const std::string &name, const memory::BoundLock &mutex);
  void answer(llvm::CallBase &call, const std::string &name, llvm::Value *succeeded);
  void wait(llvm::CallBase &call, const std::string &name, const memory::BoundLock *condition,
            const memory::BoundLock &mutex);
  /// A step before `at` with the action.
  uint32_t step(const llvm::CallBase &call, llvm::Instruction &at, const std::string &action);
  void step(const llvm::CallBase &call, llvm::Instruction &at, const std::string &action,
            lower::LockUse use, const memory::BoundLock &mutex);
  void succeed(llvm::CallBase &call, const std::string &name, const memory::BoundLock &lock);
  [[noreturn]] void refuse(const llvm::CallBase &call, const std::string &name,
                           const std::string &why);
  /// The lock of the contract behind an argument; null: none.
  const memory::BoundLock *argument(const llvm::CallBase &call, unsigned number);
};

} // namespace understudy::passes::locks
