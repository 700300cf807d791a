// SPDX-License-Identifier: Apache-2.0
//
// Only locals are promoted. simplifycfg and its kind merge, speculate and remove plain accesses to
// shared memory; SROA and mem2reg look at allocas alone.
#include "passes/read/Module.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace understudy::passes::read {

namespace {

class Promoter {
public:
  Promoter() {
    // What the two passes ask for; a PassBuilder would bring in all that LLVM has.
    analyses_.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    analyses_.registerPass([] { return llvm::TargetIRAnalysis(); });
    analyses_.registerPass([] { return llvm::AssumptionAnalysis(); });
    analyses_.registerPass([] { return llvm::DominatorTreeAnalysis(); });
    passes_.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    passes_.addPass(llvm::PromotePass());
  }

  void run(llvm::Function &function) {
    if (!function.isDeclaration())
      passes_.run(function, analyses_);
  }

private:
  llvm::FunctionAnalysisManager analyses_;
  llvm::FunctionPassManager passes_;
};

} // namespace

void promoteLocals(llvm::Module &module) {
  Promoter promoter;
  for (llvm::Function &function : module)
    promoter.run(function);
}

void promoteLocals(llvm::Function &function) { Promoter().run(function); }

} // namespace understudy::passes::read
