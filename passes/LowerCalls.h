// SPDX-License-Identifier: Apache-2.0
//
// Calls, rewritten into step form: functions known by name mean what they are known for; functions
// without body return anything and may write what their arguments reach.
#pragma once

#include "passes/Rewriter.h"

namespace understudy::passes {

class LowerCalls {
public:
  explicit LowerCalls(Rewriter &rewriter);

  void rewrite(llvm::CallBase &call);
  /// After the last call.
  void finish();

private:
  Rewriter &rewriter_;
  /// Locals whose address some function without body has seen: any such call may write them.
  std::vector<llvm::AllocaInst *> seenOutside_;
  std::map<const llvm::Instruction *, uint32_t> sectionIds_; ///< by begin
  std::vector<llvm::CallBase *> finished_;

  void known(llvm::CallBase &call, const std::string &name);
  void assumption(llvm::CallBase &call);
  void assertion(llvm::CallBase &call);
  void section(llvm::CallBase &call, const std::string &name);
  void marker(llvm::CallBase &call);
  void returns(llvm::CallBase &call);
  void intrinsic(llvm::CallBase &call);
  void copy(llvm::CallBase &call);
  void outside(llvm::CallBase &call, const std::string &name);
  void forget(llvm::IRBuilder<> &builder, llvm::Value *address, llvm::Type *type);
  void rejectLateBlocking(llvm::CallBase &call);
  logic::SourceRange range(const llvm::Instruction &instruction);
};

} // namespace understudy::passes
