// SPDX-License-Identifier: Apache-2.0
#include "passes/Inline.h"

#include "logic/Error.h"
#include "passes/Arbitrary.h"
#include "passes/Binding.h"
#include "passes/Library.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace understudy::passes {

namespace {

constexpr size_t maxInstructions = 400'000;

/// The function with a body that a call enters, if it is an ordinary one.
llvm::Function *inlinable(const llvm::CallBase &call) {
  auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr || callee->isDeclaration() || callee->isIntrinsic())
    return nullptr;
  Known known = knownFunction(sourceName(*callee));
  return known == Known::None || known == Known::AtomicFunction ? callee : nullptr;
}

class Inliner {
public:
  Inliner(llvm::Function &thread, const std::string &name, SourceMap &sources)
      : thread_(thread), module_(*thread.getParent()), sources_(sources) {
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false);
    result_ = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module_);
    result_->setDSOLocal(true);
  }

  llvm::Function &run() {
    rejectRecursion(thread_);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "entry", result_));
    describe(builder);
    std::vector<llvm::Value *> arguments;
    for (const llvm::Argument &argument : thread_.args())
      arguments.push_back(arbitrary(builder, argument.getType()));
    calls_.push_back(builder.CreateCall(&thread_, arguments));
    builder.CreateRetVoid();
    while (!calls_.empty()) {
      llvm::CallBase *call = calls_.back();
      calls_.pop_back();
      inlineCall(*call);
    }
    llvm::EliminateUnreachableBlocks(*result_);
    return *result_;
  }

private:
  llvm::Function &thread_;
  llvm::Module &module_;
  SourceMap &sources_;
  llvm::Function *result_ = nullptr;
  std::vector<llvm::CallBase *> calls_;
  std::vector<const llvm::Function *> path_;
  std::vector<const llvm::Function *> finished_;

  /// Debug information of its own for the result: without, inlining drops what is known of locals.
  void describe(llvm::IRBuilder<> &builder) {
    llvm::DISubprogram *described = thread_.getSubprogram();
    if (described == nullptr)
      return;
    auto *own = llvm::MDNode::replaceWithDistinct(described->clone());
    result_->setSubprogram(own);
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(module_.getContext(), own->getLine(), 0, own));
  }

  void rejectRecursion(const llvm::Function &function) {
    if (std::find(finished_.begin(), finished_.end(), &function) != finished_.end())
      return;
    path_.push_back(&function);
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function *callee = call != nullptr ? inlinable(*call) : nullptr;
      if (callee == nullptr)
        continue;
      auto again = std::find(path_.begin(), path_.end(), callee);
      if (again == path_.end()) {
        rejectRecursion(*callee);
        continue;
      }
      std::string cycle;
      for (; again != path_.end(); ++again)
        cycle += sourceName(**again) + " calls ";
      throw logic::Unsupported("recursion: " + cycle + sourceName(*callee),
                               sources_.range(instruction));
    }
    path_.pop_back();
    finished_.push_back(&function);
  }

  void inlineCall(llvm::CallBase &call) {
    llvm::Function *callee = inlinable(call);
    if (callee == nullptr)
      return;
    logic::SourceRange range = sources_.range(call);
    if (knownFunction(sourceName(*callee)) == Known::AtomicFunction)
      encloseAtomic(call);
    llvm::InlineFunctionInfo info;
    std::string name = sourceName(*callee);
    llvm::InlineResult done = llvm::InlineFunction(call, info);
    if (!done.isSuccess())
      throw logic::Unsupported(
          "the call of " + name + " cannot be followed: " + done.getFailureReason(), range);
    calls_.insert(calls_.end(), info.InlinedCallSites.begin(), info.InlinedCallSites.end());
    if (result_->getInstructionCount() > maxInstructions)
      throw logic::Unsupported("the function with all that it calls is too large", range);
  }

  void encloseAtomic(llvm::CallBase &call) {
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false);
    auto begin = module_.getOrInsertFunction("__VERIFIER_atomic_begin", type);
    auto end = module_.getOrInsertFunction("__VERIFIER_atomic_end", type);
    llvm::IRBuilder<> before(&call);
    before.CreateCall(begin)->setDebugLoc(call.getDebugLoc());
    llvm::IRBuilder<> after(call.getNextNode());
    after.CreateCall(end)->setDebugLoc(call.getDebugLoc());
  }
};

} // namespace

llvm::Function &inlineThread(llvm::Function &thread, const std::string &name, SourceMap &sources) {
  return Inliner(thread, name, sources).run();
}

} // namespace understudy::passes
