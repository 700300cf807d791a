// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Poison.h"

#include "passes/lower/Arbitrary.h"
#include "passes/lower/StepForm.h"
#include "passes/read/Module.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace understudy::passes::lower {

namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

bool isCallOf(const Instruction &instruction, llvm::StringRef prefix) {
  const auto *call = dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName().starts_with(prefix);
}

/// Is its result poison for some operands that are not?
bool makesPoison(const Instruction &instruction) {
  if (!instruction.getType()->isIntegerTy() || instruction.getType()->getIntegerBitWidth() > 64)
    return false;
  if (const auto *operation = dyn_cast<llvm::OverflowingBinaryOperator>(&instruction))
    return operation->hasNoSignedWrap() || operation->hasNoUnsignedWrap();
  if (const auto *operation = dyn_cast<llvm::PossiblyExactOperator>(&instruction))
    return operation->isExact();
  if (const auto *extension = dyn_cast<llvm::ZExtInst>(&instruction))
    return extension->hasNonNeg();
  if (const auto *cut = dyn_cast<llvm::TruncInst>(&instruction))
    return cut->hasNoSignedWrap() || cut->hasNoUnsignedWrap();
  const auto *call = dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::abs &&
         !llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->isZero();
}

/// The operands that must not be poison.
std::vector<Value *> needed(const Instruction &instruction) {
  std::vector<Value *> result;
  auto addIndices = [&](const Value *pointer) {
    while (const auto *element = dyn_cast<llvm::GEPOperator>(pointer)) {
      result.insert(result.end(), element->idx_begin(), element->idx_end());
      pointer = element->getPointerOperand();
    }
  };
  if (const auto *jump = dyn_cast<llvm::BranchInst>(&instruction)) {
    if (jump->isConditional())
      result.push_back(jump->getCondition());
  } else if (isa<llvm::SwitchInst>(instruction)) {
    result.push_back(instruction.getOperand(0));
  } else if (const auto *store = dyn_cast<llvm::StoreInst>(&instruction)) {
    result.push_back(instruction.getOperand(0));
    addIndices(store->getPointerOperand());
  } else if (const auto *load = dyn_cast<llvm::LoadInst>(&instruction)) {
    addIndices(load->getPointerOperand());
  } else if (instruction.isIntDivRem()) {
    result.push_back(instruction.getOperand(1));
  } else if (isCallOf(instruction, names::assume)) {
    result.push_back(instruction.getOperand(0));
  }
  return result;
}

/// Do poison operands make the result poison, whatever the other operands are?
bool handsOn(const Instruction &instruction) {
  if (isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst, llvm::ExtractValueInst>(
          instruction))
    return true;
  const auto *call = dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && call->doesNotAccessMemory() && !call->getType()->isVoidTy();
}

class Shadows {
public:
  explicit Shadows(llvm::Function &function)
      : function_(function), no_(llvm::ConstantInt::getFalse(function.getContext())) {}

  void run() {
    for (Instruction &instruction : llvm::instructions(function_))
      if (makesPoison(instruction) && !isUsedAtOnce(instruction))
        makers_.push_back(&instruction);
    spread();
    for (Instruction *maker : makers_)
      own_[maker] = failure(*maker);
    std::vector<Instruction *> all;
    for (Instruction &instruction : llvm::instructions(function_))
      all.push_back(&instruction);
    for (Instruction *instruction : all) // in order, so that chains are short
      shadow(instruction);
    for (Instruction *instruction : all)
      demand(*instruction);
    for (Instruction *instruction : all)
      if (auto *frozen = dyn_cast<llvm::FreezeInst>(instruction))
        thaw(*frozen);
  }

private:
  llvm::Function &function_;
  llvm::Constant *no_;
  std::vector<Instruction *> makers_;
  std::set<const Value *> suspects_;         ///< what may be poison
  std::map<const Value *, Value *> own_;     ///< the instruction itself makes poison
  std::map<const Value *, Value *> shadows_; ///< the value is poison

  /// Is poison of it used before the next step ends, on every way? Then its flags may stay.
  static bool isUsedAtOnce(const Instruction &maker) {
    std::set<const Value *> poison{&maker};
    auto isPoison = [&](const Value *value) { return poison.contains(value); };
    std::set<const llvm::BasicBlock *> seen{maker.getParent()};
    const Instruction *at = maker.getNextNode();
    while (at != nullptr) {
      std::vector<Value *> uses = needed(*at);
      if (std::any_of(uses.begin(), uses.end(), isPoison))
        return true;
      if (handsOn(*at) && std::any_of(at->op_begin(), at->op_end(), isPoison))
        poison.insert(at);
      bool passes = !isa<llvm::CallBase>(at) || isa<llvm::IntrinsicInst>(at) ||
                    isCallOf(*at, names::stepBegin) || isCallOf(*at, names::nondet);
      if (!passes)
        return false;
      if (!at->isTerminator()) {
        at = at->getNextNode();
        continue;
      }
      const auto *jump = dyn_cast<llvm::BranchInst>(at);
      if (jump == nullptr || jump->isConditional() || !seen.insert(jump->getSuccessor(0)).second)
        return false;
      for (const llvm::PHINode &phi : jump->getSuccessor(0)->phis())
        if (isPoison(phi.getIncomingValueForBlock(at->getParent())))
          poison.insert(&phi);
      at = &*jump->getSuccessor(0)->getFirstNonPHIIt();
    }
    return false;
  }

  void spread() {
    std::vector<const Value *> work(makers_.begin(), makers_.end());
    while (!work.empty()) {
      const Value *value = work.back();
      work.pop_back();
      if (!suspects_.insert(value).second)
        continue;
      for (const llvm::User *user : value->users())
        if (const auto *next = dyn_cast<Instruction>(user);
            next != nullptr && (handsOn(*next) || isa<llvm::PHINode, llvm::SelectInst>(next)))
          work.push_back(next);
    }
  }

  /// Drops the flags; the i1 says that they were broken.
  Value *failure(Instruction &maker) {
    llvm::IRBuilder<> builder(maker.getNextNode());
    builder.SetCurrentDebugLocation(maker.getDebugLoc());
    bool noSigned = false;
    bool noUnsigned = false;
    if (const auto *operation = dyn_cast<llvm::OverflowingBinaryOperator>(&maker)) {
      noSigned = operation->hasNoSignedWrap();
      noUnsigned = operation->hasNoUnsignedWrap();
    }
    if (const auto *cut = dyn_cast<llvm::TruncInst>(&maker)) {
      noSigned = cut->hasNoSignedWrap();
      noUnsigned = cut->hasNoUnsignedWrap();
    }
    maker.dropPoisonGeneratingFlags();
    Value *result = no_;
    if (noSigned)
      result = leaves(builder, maker, Sign::Signed);
    if (noUnsigned)
      result = builder.CreateOr(result, leaves(builder, maker, Sign::Unsigned));
    return noSigned || noUnsigned ? result : otherFailure(builder, maker);
  }

  /// Does the result differ from the mathematical one?
  static Value *leaves(llvm::IRBuilder<> &builder, Instruction &maker, Sign sign) {
    bool isSigned = sign == Sign::Signed;
    Value *left = maker.getOperand(0);
    if (isa<llvm::TruncInst>(maker))
      return builder.CreateICmpNE(isSigned ? builder.CreateSExt(&maker, left->getType())
                                           : builder.CreateZExt(&maker, left->getType()),
                                  left);
    Value *right = maker.getOperand(1);
    if (maker.getOpcode() == Instruction::Shl)
      return builder.CreateICmpNE(
          isSigned ? builder.CreateAShr(&maker, right) : builder.CreateLShr(&maker, right), left);
    auto check = [&](llvm::Intrinsic::ID withSign, llvm::Intrinsic::ID without) {
      Value *pair = builder.CreateBinaryIntrinsic(isSigned ? withSign : without, left, right);
      return builder.CreateExtractValue(pair, 1);
    };
    switch (maker.getOpcode()) {
    case Instruction::Add:
      return check(llvm::Intrinsic::sadd_with_overflow, llvm::Intrinsic::uadd_with_overflow);
    case Instruction::Sub:
      return check(llvm::Intrinsic::ssub_with_overflow, llvm::Intrinsic::usub_with_overflow);
    default:
      return check(llvm::Intrinsic::smul_with_overflow, llvm::Intrinsic::umul_with_overflow);
    }
  }

  static Value *otherFailure(llvm::IRBuilder<> &builder, Instruction &maker) {
    Value *left = maker.getOperand(0);
    auto isNot = [&](Value *again) { return builder.CreateICmpNE(again, left); };
    switch (maker.getOpcode()) {
    case Instruction::ZExt:
      return builder.CreateICmpSLT(left, llvm::Constant::getNullValue(left->getType()));
    case Instruction::LShr:
    case Instruction::AShr:
      return isNot(builder.CreateShl(&maker, maker.getOperand(1)));
    case Instruction::UDiv:
    case Instruction::SDiv:
      return isNot(builder.CreateMul(&maker, maker.getOperand(1)));
    default: { // abs
      auto &call = llvm::cast<llvm::CallBase>(maker);
      call.setArgOperand(1, builder.getFalse());
      unsigned bits = left->getType()->getIntegerBitWidth();
      return builder.CreateICmpEQ(left, builder.getInt(llvm::APInt::getSignedMinValue(bits)));
    }
    }
  }

  Value *shadow(Value *value) {
    if (!suspects_.contains(value))
      return no_;
    if (auto found = shadows_.find(value); found != shadows_.end())
      return found->second;
    if (auto *phi = dyn_cast<llvm::PHINode>(value))
      return shadowOf(*phi);
    auto &instruction = llvm::cast<Instruction>(*value);
    auto own = own_.find(value);
    Instruction *after = instruction.getNextNode();
    if (own != own_.end())
      if (auto *computed = dyn_cast<Instruction>(own->second))
        after = computed->getNextNode();
    std::vector<Value *> parts;
    if (auto *choice = dyn_cast<llvm::SelectInst>(&instruction)) {
      parts.push_back(shadow(choice->getCondition()));
      Value *yes = shadow(choice->getTrueValue());
      Value *no = shadow(choice->getFalseValue());
      llvm::IRBuilder<> builder(after);
      parts.push_back(builder.CreateSelect(choice->getCondition(), yes, no));
    } else {
      for (Value *operand : instruction.operands())
        parts.push_back(shadow(operand));
    }
    if (own != own_.end())
      parts.push_back(own->second);
    llvm::IRBuilder<> builder(after);
    Value *result = no_;
    for (Value *part : parts)
      result = builder.CreateOr(result, part);
    return shadows_[value] = result;
  }

  Value *shadowOf(llvm::PHINode &phi) {
    llvm::IRBuilder<> builder(&phi);
    llvm::PHINode *result = builder.CreatePHI(no_->getType(), phi.getNumIncomingValues());
    shadows_[&phi] = result;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      result->addIncoming(shadow(phi.getIncomingValue(i)), phi.getIncomingBlock(i));
    return result;
  }

  /// The run goes on only if what the instruction needs is not poison.
  void demand(Instruction &instruction) {
    for (Value *operand : needed(instruction)) {
      Value *isPoison = shadow(operand);
      if (isPoison == no_)
        continue;
      llvm::IRBuilder<> builder(&instruction);
      assume(builder, builder.CreateNot(isPoison));
    }
    // The least number divided by -1 is undefined behaviour, of poison it is not.
    if (instruction.isIntDivRem() && shadow(instruction.getOperand(0)) != no_) {
      llvm::IRBuilder<> builder(&instruction);
      Value *dividend = instruction.getOperand(0);
      instruction.setOperand(
          0, builder.CreateSelect(shadow(dividend),
                                  llvm::Constant::getNullValue(dividend->getType()), dividend));
    }
  }

  void thaw(llvm::FreezeInst &frozen) {
    Value *isPoison = shadow(frozen.getOperand(0));
    if (isPoison == no_)
      return;
    llvm::IRBuilder<> builder(&frozen);
    Value *any = arbitrary(builder, frozen.getType());
    frozen.replaceAllUsesWith(builder.CreateSelect(isPoison, any, frozen.getOperand(0)));
    frozen.eraseFromParent();
  }
};

} // namespace

void makePoisonExplicit(llvm::Function &function) { Shadows(function).run(); }

bool isAsWritten(const llvm::Function &function) {
  return function.hasOptNone() || function.hasFnAttribute(read::asWritten);
}

} // namespace understudy::passes::lower
