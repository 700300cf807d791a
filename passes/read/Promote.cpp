// SPDX-License-Identifier: Apache-2.0
//
// Only locals are promoted. simplifycfg and its kind merge, speculate and remove plain accesses to
// shared memory; SROA and mem2reg look at allocas alone.
#include "passes/read/Module.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <optional>

namespace understudy::passes::read {

namespace {

constexpr const char *anythingName = "understudy.anything";

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
    if (function.isDeclaration())
      return;
    passes_.run(function, analyses_);
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (llvm::isa<llvm::FreezeInst>(instruction) && instruction.use_empty())
        instruction.eraseFromParent();
  }

private:
  llvm::FunctionAnalysisManager analyses_;
  llvm::FunctionPassManager passes_;
};

size_t scalarsOf(const llvm::Type *type) {
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    size_t count = 0;
    for (const llvm::Type *field : structure->elements())
      count += scalarsOf(field);
    return count;
  }
  const auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
  return array != nullptr ? array->getNumElements() * scalarsOf(array->getElementType()) : 1;
}

/// Stores any value into each integer of the object.
void storeAnything(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *object) {
  auto element = [&](llvm::Type *inner, uint64_t index) {
    storeAnything(
        builder, inner,
        builder.CreateConstInBoundsGEP2_32(type, object, 0, static_cast<unsigned>(index)));
  };
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      element(structure->getElementType(i), i);
  else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      element(array->getElementType(), i);
  else if (type->isIntegerTy())
    builder.CreateStore(builder.CreateFreeze(llvm::PoisonValue::get(type)), object);
}

/// Large objects are filled from memory that nobody knows: promotion makes loads of it where parts
/// are taken apart.
void startAnyhow(llvm::IRBuilder<> &builder, llvm::AllocaInst &local) {
  constexpr size_t most = 256; // stores
  llvm::Type *type = local.getAllocatedType();
  if (scalarsOf(type) <= most) {
    storeAnything(builder, type, &local);
    return;
  }
  llvm::Module &module = *local.getModule();
  auto *anything = new llvm::GlobalVariable(
      module, type, false, llvm::GlobalValue::InternalLinkage, llvm::Constant::getNullValue(type),
      anythingName, nullptr, llvm::GlobalValue::NotThreadLocal, std::nullopt, true);
  builder.CreateMemCpy(&local, local.getAlign(), anything, anything->getAlign(),
                       module.getDataLayout().getTypeAllocSize(type).getFixedValue());
}

/// What is undefined may be another value at each use; an instruction says so, too.
void freezeUndefined(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    for (llvm::Use &operand : instruction.operands()) {
      if (!llvm::isa<llvm::UndefValue>(operand) || llvm::isa<llvm::PoisonValue>(operand) ||
          !operand->getType()->isIntegerTy())
        continue;
      llvm::BasicBlock *from = phi != nullptr ? phi->getIncomingBlock(operand) : nullptr;
      llvm::IRBuilder<> builder(from != nullptr ? from->getTerminator() : &instruction);
      llvm::Value *any = builder.CreateFreeze(operand.get());
      if (phi != nullptr) // a block may be there several times
        phi->setIncomingValueForBlock(from, any);
      else
        operand.set(any);
    }
  }
}

/// A local of a size that nobody knows is not promoted.
llvm::Value *unknownSize(llvm::IRBuilder<> &builder) {
  return builder.CreateFreeze(llvm::PoisonValue::get(builder.getInt32Ty()));
}

/// A local has any value until it is written, at its declaration anew. An instruction says so, for
/// promotion takes what suits it for a value that nobody wrote: of that or 1 it makes 1.
void startLocals(llvm::Function &function) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::SmallPtrSet<llvm::AllocaInst *, 8> locals;
  for (llvm::Instruction &instruction : entry)
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (!local->isArrayAllocation())
        locals.insert(local);
  std::vector<std::pair<llvm::Instruction *, llvm::AllocaInst *>> places;
  for (llvm::AllocaInst *local : locals)
    places.emplace_back(local->getNextNode(), local);
  for (llvm::Instruction &at : llvm::instructions(function))
    if (at.getParent() != &entry)
      for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(at.getDbgRecordRange()))
        if (auto *local = llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getVariableLocationOp(0));
            record.isDbgDeclare() && record.getVariable()->getArg() == 0 && locals.contains(local))
          places.emplace_back(&at, local);
  for (const auto &[at, local] : places) {
    llvm::IRBuilder<> builder(at);
    builder.SetCurrentDebugLocation({});
    startAnyhow(builder, *local);
  }
}

/// Stores the pointer into each pointer of the list, and any value into the rest.
void storeList(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *list,
               llvm::Value *pointer) {
  auto element = [&](llvm::Type *inner, unsigned index) {
    storeList(builder, inner, builder.CreateConstInBoundsGEP2_32(type, list, 0, index), pointer);
  };
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      element(structure->getElementType(i), i);
  else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      element(array->getElementType(), i);
  else if (type->isPointerTy())
    builder.CreateStore(pointer, list);
  else
    storeAnything(builder, type, list);
}

/// What a function takes from its variable arguments has any value: they lie in memory of its own
/// that nobody follows. A list that is not a local stays, and is refused.
void forgetVariableArguments(llvm::Function &function) {
  std::vector<std::pair<llvm::Instruction *, llvm::AllocaInst *>> starts;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::VAStartInst, llvm::VACopyInst>(instruction))
      if (auto *list = llvm::dyn_cast<llvm::AllocaInst>(
              instruction.getOperand(0)->stripInBoundsConstantOffsets()))
        starts.emplace_back(&instruction, list);
  if (starts.empty())
    return;
  llvm::IRBuilder<> entry(&*function.getEntryBlock().begin());
  llvm::AllocaInst *memory =
      entry.CreateAlloca(entry.getInt8Ty(), unknownSize(entry), "variable arguments");
  for (const auto &[start, list] : starts) {
    llvm::IRBuilder<> builder(start);
    storeList(builder, list->getAllocatedType(), list, memory);
    start->eraseFromParent();
  }
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *taken = llvm::dyn_cast<llvm::VAArgInst>(&instruction)) {
      llvm::IRBuilder<> builder(taken);
      taken->replaceAllUsesWith(builder.CreateLoad(taken->getType(), memory));
      taken->eraseFromParent();
    } else if (llvm::isa<llvm::VAEndInst>(instruction)) {
      instruction.eraseFromParent();
    }
  }
}

/// Whether a value is a constant is the choice of whoever compiles the code, and folding would make
/// ours: the question becomes a call that nobody folds.
void keepConstantQuestions(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *question = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (question == nullptr || question->getIntrinsicID() != llvm::Intrinsic::is_constant)
      continue;
    llvm::IRBuilder<> builder(question);
    question->replaceAllUsesWith(builder.CreateCall(function.getParent()->getOrInsertFunction(
        "__builtin_constant_p", llvm::FunctionType::get(builder.getInt1Ty(), false))));
    question->eraseFromParent();
  }
}

} // namespace

void promoteLocals(llvm::Module &module) {
  Promoter promoter;
  for (llvm::Function &function : module) {
    if (!function.isDeclaration()) {
      forgetVariableArguments(function);
      keepConstantQuestions(function);
      startLocals(function);
      freezeUndefined(function);
    }
    promoter.run(function);
  }
}

bool isAnything(const llvm::Value &object) {
  return llvm::isa<llvm::GlobalVariable>(object) && object.getName().starts_with(anythingName);
}

void promoteLocals(llvm::Function &function) { Promoter().run(function); }

} // namespace understudy::passes::read
