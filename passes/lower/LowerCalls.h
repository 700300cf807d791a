// SPDX-License-Identifier: Apache-2.0
//
// Calls, rewritten into step form: functions of the table mean what it says; functions without body
// return anything.
#pragma once

#include "passes/locks/LowerLocks.h"
#include "passes/lower/KnownFunctions.h"
#include "passes/lower/LowerCopies.h"
#include "passes/lower/Rewriter.h"

namespace understudy::passes::lower {

class LowerCalls {
public:
  using Callbacks = std::map<std::string, std::set<std::string>>;
  /// `callbacks` are what functions without body may call.
  LowerCalls(Rewriter &rewriter, Callbacks callbacks)
      : rewriter_(rewriter), copies_(rewriter), locks_(rewriter), callbacks_(std::move(callbacks)) {
  }

  void rewrite(llvm::CallBase &call);
  /// A lock of the contract is not written to. Throws `logic::Unsupported`.
  void requireNoLock(const llvm::Instruction &instruction);
  /// After the last call.
  void finish();

private:
  Rewriter &rewriter_;
  LowerCopies copies_;
  locks::LowerLocks locks_;
  Callbacks callbacks_;
  std::map<const llvm::Instruction *, uint32_t> sectionIds_; ///< by begin
  std::vector<llvm::CallBase *> finished_;

  void assembly(llvm::CallBase &call);
  void known(llvm::CallBase &call, const KnownFunction &row, const std::string &name);
  void ownCopy(llvm::CallBase &call);
  void replaceByInput(llvm::CallBase &call);
  void assumption(llvm::CallBase &call);
  void claim(llvm::CallBase &call);
  void computation(llvm::CallBase &call, const std::string &name);
  void constantQuestion(llvm::CallBase &call, const std::string &name);
  void notModelled(llvm::CallBase &call, const std::string &name);
  void assertion(llvm::CallBase &call);
  uint32_t addAssertion(const llvm::CallBase &call);
  void section(llvm::CallBase &call, Known border);
  void marker(llvm::CallBase &call);
  void returns(llvm::CallBase &call);
  void intrinsic(llvm::CallBase &call);
  void action(llvm::CallBase &call, const std::string &name);
  void outside(llvm::CallBase &call, const std::string &name);
  void requireNoLock(const llvm::Value *pointer, const llvm::Instruction &at,
                     const std::string &what);
  void rejectLateBlocking(llvm::CallBase &call);
  logic::SourceRange range(const llvm::Instruction &instruction);
};

} // namespace understudy::passes::lower
