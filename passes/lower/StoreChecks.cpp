// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/StoreChecks.h"

#include "passes/lower/Arbitrary.h"
#include "passes/lower/StoredSums.h"

#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace understudy::passes::lower {

namespace {

class StoreChecker {
public:
  StoreChecker(const memory::BoundVariable &variable, llvm::Instruction *at,
               const llvm::Instruction &origin, const StoreCheckOptions &options)
      : variable_(variable), at_(at), origin_(origin), options_(options), builder_(at),
        wide_(builder_.getIntNTy(variable.bits <= 32 ? 64 : 128)) {}

  StoreCheckResult run(const StoredValue &stored) {
    if (variable_.isTruth())
      return {};
    if (options_.overflow != OverflowMode::Wrap)
      if (llvm::Value *exact = exactValue(stored))
        checkType(exact);
    perhaps_ = false;
    checkRange(stored.value);
    return result_;
  }

private:
  const memory::BoundVariable &variable_;
  llvm::Instruction *at_;
  const llvm::Instruction &origin_;
  const StoreCheckOptions &options_;
  llvm::IRBuilder<> builder_;
  llvm::IntegerType *wide_;
  StoreCheckResult result_;
  bool perhaps_ = false; ///< the code does not tell whether the number is the store's

  bool isSigned() const { return variable_.isSigned; }

  llvm::Value *extended(llvm::Value *value) {
    return isSigned() ? builder_.CreateSExt(value, wide_) : builder_.CreateZExt(value, wide_);
  }

  /// A negative constant is a number below 0 also where C computes without sign: `x += -2`.
  llvm::Value *operand(llvm::Value *value) {
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant != nullptr && constant->isNegative() ? builder_.CreateSExt(value, wide_)
                                                         : extended(value);
  }

  /// The mathematical value of the operation; null if it cannot leave the type.
  llvm::Value *exactOf(llvm::Instruction::BinaryOps operation, llvm::Value *left,
                       llvm::Value *right) {
    bool constant = llvm::isa<llvm::ConstantInt>(left) || llvm::isa<llvm::ConstantInt>(right);
    switch (operation) {
    case llvm::Instruction::Add:
      return sum(left, right);
    case llvm::Instruction::Sub:
      return builder_.CreateSub(operand(left), operand(right));
    case llvm::Instruction::Mul:
      wide_ = builder_.getIntNTy(128);
      return constant ? builder_.CreateMul(operand(left), operand(right)) : nullptr;
    default:
      return nullptr;
    }
  }

  /// Without sign, a sum that exceeds the type may also stand for adding a negative number
  /// (`atomic_fetch_add(&x, delta)`): then it is that sum. Nothing is assumed away that C allows.
  llvm::Value *sum(llvm::Value *left, llvm::Value *right) {
    llvm::Value *exact = builder_.CreateAdd(operand(left), operand(right));
    if (isSigned() || llvm::isa<llvm::ConstantInt>(right) || llvm::isa<llvm::ConstantInt>(left))
      return exact;
    llvm::Value *lowered = builder_.CreateAdd(extended(left), builder_.CreateSExt(right, wide_));
    llvm::Value *negative =
        builder_.CreateICmpSLT(right, llvm::Constant::getNullValue(right->getType()));
    llvm::Value *possible = builder_.CreateICmpSGE(lowered, llvm::ConstantInt::get(wide_, 0));
    return builder_.CreateSelect(builder_.CreateAnd(negative, possible), lowered, exact);
  }

  /// The mathematical value of the expression in the store; null if it cannot leave the type.
  llvm::Value *exactValue(const StoredValue &stored) {
    if (stored.operation)
      return exactOf(*stored.operation, stored.left, stored.right);
    InStore inStore = isInStore(*stored.value, origin_);
    perhaps_ = inStore == InStore::Perhaps;
    result_.takenByForm = inStore == InStore::ByForm;
    if (inStore == InStore::No)
      return nullptr;
    if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(stored.value))
      return exactOf(binary->getOpcode(), binary->getOperand(0), binary->getOperand(1));
    // Computed as an int; where other numbers are cut, C does so.
    auto *cut = llvm::cast<llvm::TruncInst>(stored.value);
    auto *computed = llvm::cast<llvm::OverflowingBinaryOperator>(cut->getOperand(0));
    if (!computed->hasNoSignedWrap() || cut->getSrcTy()->getIntegerBitWidth() > 64)
      return nullptr;
    wide_ = builder_.getIntNTy(128);
    return builder_.CreateSExt(cut->getOperand(0), wide_);
  }

  void checkType(llvm::Value *exact) {
    unsigned width = wide_->getBitWidth();
    llvm::APInt least = isSigned() ? llvm::APInt::getSignedMinValue(variable_.bits).sext(width)
                                   : llvm::APInt(width, 0);
    llvm::APInt most = isSigned() ? llvm::APInt::getSignedMaxValue(variable_.bits).sext(width)
                                  : llvm::APInt::getMaxValue(variable_.bits).zext(width);
    if (variable_.isBool)
      most = llvm::APInt(width, 1);
    llvm::Value *atLeast = builder_.CreateICmpSGE(exact, llvm::ConstantInt::get(wide_, least));
    llvm::Value *atMost = builder_.CreateICmpSLE(exact, llvm::ConstantInt::get(wide_, most));
    require(atLeast, isSigned() ? ViolationKind::Overflow : ViolationKind::Underflow);
    require(atMost, ViolationKind::Overflow);
  }

  void require(llvm::Value *condition, ViolationKind kind) {
    bool assumed = kind == ViolationKind::Overflow && options_.overflow == OverflowMode::Assume;
    result_.assumedInType = result_.assumedInType || assumed;
    if (assumed && !perhaps_) {
      assume(builder_, condition);
      return;
    }
    llvm::BasicBlock *before = builder_.GetInsertBlock();
    llvm::BasicBlock *after = llvm::SplitBlock(before, at_);
    llvm::BasicBlock *fails = assumed ? endOfRun() : options_.violation(kind);
    before->getTerminator()->eraseFromParent();
    llvm::IRBuilder<>(before).CreateCondBr(condition, after,
                                           perhaps_ ? unlessWrapped(after, fails) : fails);
    builder_.SetInsertPoint(at_);
  }

  llvm::BasicBlock *newBlock() {
    return llvm::BasicBlock::Create(at_->getContext(), "", at_->getFunction());
  }

  llvm::BasicBlock *endOfRun() {
    llvm::BasicBlock *block = newBlock();
    llvm::IRBuilder<>(block).CreateUnreachable();
    return block;
  }

  /// The number may have wrapped before it was stored: the run goes on, or fails.
  llvm::BasicBlock *unlessWrapped(llvm::BasicBlock *after, llvm::BasicBlock *fails) {
    llvm::BasicBlock *block = newBlock();
    llvm::IRBuilder<> builder(block);
    builder.CreateCondBr(guess(builder, builder.getInt1Ty(), options_.wrapped()), after, fails);
    return block;
  }

  void checkRange(llvm::Value *value) {
    logic::Sort sort = variable_.element();
    llvm::Type *type = value->getType();
    auto number = [&](int64_t n) {
      return llvm::ConstantInt::get(wide_, static_cast<uint64_t>(n), true);
    };
    if (sort.kind() != logic::SortKind::Range && !sort.isEnum())
      return;
    wide_ = builder_.getIntNTy(type->getIntegerBitWidth() <= 32 ? 64 : 128);
    llvm::Value *extendedValue = extended(value);
    llvm::Value *inside = nullptr;
    if (sort.isEnum()) {
      inside = builder_.getFalse();
      for (const logic::Enumerator &e : sort.enumerators())
        inside = builder_.CreateOr(inside, builder_.CreateICmpEQ(extendedValue, number(e.value)));
    } else {
      inside = builder_.CreateAnd(builder_.CreateICmpSGE(extendedValue, number(sort.lower())),
                                  builder_.CreateICmpSLE(extendedValue, number(sort.upper())));
    }
    if (!llvm::isa<llvm::ConstantInt>(inside) || inside == builder_.getFalse())
      require(inside, ViolationKind::Range);
  }
};

} // namespace

StoreCheckResult checkStore(const memory::BoundVariable &variable, const StoredValue &stored,
                            llvm::Instruction *at, const llvm::Instruction &origin,
                            const StoreCheckOptions &options) {
  return StoreChecker(variable, at, origin, options).run(stored);
}

} // namespace understudy::passes::lower
