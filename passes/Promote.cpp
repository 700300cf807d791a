// SPDX-License-Identifier: Apache-2.0
//
// Only locals are promoted. simplifycfg and its kind merge, speculate and remove plain accesses to
// shared memory; SROA and mem2reg look at allocas alone.
#include "passes/Module.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace understudy::passes {

namespace {

class Promoter {
public:
  Promoter() {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(groups_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, groups_, modules_);
    passes_.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    passes_.addPass(llvm::PromotePass());
  }

  void run(llvm::Function &function) {
    if (!function.isDeclaration())
      passes_.run(function, functions_);
  }

private:
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager groups_;
  llvm::ModuleAnalysisManager modules_;
  llvm::FunctionPassManager passes_;
};

} // namespace

void promoteLocals(llvm::Module &module) {
  Promoter promoter;
  for (llvm::Function &function : module)
    promoter.run(function);
}

void promoteLocals(llvm::Function &function) { Promoter().run(function); }

} // namespace understudy::passes
