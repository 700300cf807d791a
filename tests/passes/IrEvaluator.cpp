// SPDX-License-Identifier: Apache-2.0
#include "IrEvaluator.h"

#include "logic/Linear.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <stdexcept>

namespace understudy::tests {

using llvm::APInt;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;

namespace {

void flatten(const llvm::Constant *constant, std::vector<APInt> &out) {
  if (const auto *number = dyn_cast<llvm::ConstantInt>(constant)) {
    out.push_back(number->getValue());
    return;
  }
  auto *array = llvm::cast<llvm::ArrayType>(constant->getType());
  for (unsigned i = 0; i < array->getNumElements(); ++i)
    flatten(constant->getAggregateElement(i), out);
}

void zeros(const llvm::Type *type, std::vector<APInt> &out) {
  if (const auto *array = dyn_cast<llvm::ArrayType>(type))
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      zeros(array->getElementType(), out);
  else
    out.emplace_back(type->getIntegerBitWidth(), 0);
}

APInt bit(bool value) { return {1, value ? 1u : 0u}; }

} // namespace

IrEvaluator::IrEvaluator(const llvm::Module &module) : module_(module) {
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.hasInitializer())
      flatten(global.getInitializer(), memory[&global]);
}

Outcome IrEvaluator::run(std::deque<APInt> inputs) {
  inputs_ = std::move(inputs);
  try {
    runFunction(*module_.getFunction("f"), {});
  } catch (const Stop &stop) {
    return stop.outcome;
  }
  return Outcome::Returned;
}

APInt IrEvaluator::get(const Values &values, const llvm::Value *value) const {
  if (const auto *constant = dyn_cast<llvm::ConstantInt>(value))
    return constant->getValue();
  return values.at(value).front();
}

APInt IrEvaluator::binary(const llvm::BinaryOperator &operation, const APInt &a,
                          const APInt &b) const {
  bool signedOverflow = false;
  bool unsignedOverflow = false;
  APInt result = a;
  switch (operation.getOpcode()) {
  case Instruction::Add:
    (void)a.sadd_ov(b, signedOverflow);
    result = a.uadd_ov(b, unsignedOverflow);
    break;
  case Instruction::Sub:
    (void)a.ssub_ov(b, signedOverflow);
    result = a.usub_ov(b, unsignedOverflow);
    break;
  case Instruction::Mul:
    (void)a.smul_ov(b, signedOverflow);
    result = a.umul_ov(b, unsignedOverflow);
    break;
  case Instruction::Shl:
    (void)a.sshl_ov(b, signedOverflow);
    result = a.ushl_ov(b, unsignedOverflow);
    break;
  case Instruction::LShr:
    require(!operation.isExact() || a.countTrailingZeros() >= b.getZExtValue());
    return a.lshr(b);
  case Instruction::AShr:
    require(!operation.isExact() || a.countTrailingZeros() >= b.getZExtValue());
    return a.ashr(b);
  case Instruction::UDiv:
    require(!operation.isExact() || a.urem(b).isZero());
    return a.udiv(b);
  case Instruction::URem:
    return a.urem(b);
  case Instruction::SDiv:
    require(!(a.isMinSignedValue() && b.isAllOnes()));
    require(!operation.isExact() || a.srem(b).isZero());
    return a.sdiv(b);
  case Instruction::SRem:
    require(!(a.isMinSignedValue() && b.isAllOnes()));
    return a.srem(b);
  case Instruction::And:
    return a & b;
  case Instruction::Or:
    return a | b;
  case Instruction::Xor:
    return a ^ b;
  default:
    throw std::logic_error("unknown operation");
  }
  require(!operation.hasNoSignedWrap() || !signedOverflow);
  require(!operation.hasNoUnsignedWrap() || !unsignedOverflow);
  return result;
}

APInt IrEvaluator::cast(const llvm::CastInst &conversion, const APInt &a) const {
  unsigned bits = conversion.getType()->getIntegerBitWidth();
  if (const auto *extension = dyn_cast<llvm::ZExtInst>(&conversion)) {
    require(!extension->hasNonNeg() || !a.isNegative());
    return a.zext(bits);
  }
  if (isa<llvm::SExtInst>(conversion))
    return a.sext(bits);
  const auto &truncation = llvm::cast<llvm::TruncInst>(conversion);
  require(!truncation.hasNoSignedWrap() || a.isSignedIntN(bits));
  require(!truncation.hasNoUnsignedWrap() || a.isIntN(bits));
  return a.trunc(bits);
}

APInt &IrEvaluator::cell(const Values &values, const llvm::Value *pointer) {
  logic::Wide index = 0; // of inbounds arithmetic, so it does not wrap
  if (const auto *element = dyn_cast<llvm::GEPOperator>(pointer)) {
    llvm::Type *type = element->getSourceElementType();
    for (const llvm::Use &use : llvm::drop_begin(element->indices())) {
      auto *array = llvm::cast<llvm::ArrayType>(type);
      type = array->getElementType();
      index = index * static_cast<logic::Wide>(array->getNumElements()) +
              get(values, use.get()).getSExtValue();
    }
    pointer = element->getPointerOperand();
  }
  auto &object = memory.at(pointer);
  require(0 <= index && index < static_cast<logic::Wide>(object.size()));
  return object[static_cast<size_t>(index)];
}

IrEvaluator::Bits IrEvaluator::intrinsic(Values &values, const llvm::CallInst &call) const {
  APInt a = get(values, call.getArgOperand(0));
  APInt b = get(values, call.getArgOperand(1));
  bool overflows = false;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::smin:
    return {a.slt(b) ? a : b};
  case llvm::Intrinsic::smax:
    return {a.sgt(b) ? a : b};
  case llvm::Intrinsic::umin:
    return {a.ult(b) ? a : b};
  case llvm::Intrinsic::umax:
    return {a.ugt(b) ? a : b};
  case llvm::Intrinsic::abs:
    require(b.isZero() || !a.isMinSignedValue());
    return {a.abs()};
  case llvm::Intrinsic::expect:
    return {a};
  default:
    break;
  }
  const auto &overflowing = llvm::cast<llvm::WithOverflowInst>(call);
  APInt result = a;
  switch (overflowing.getIntrinsicID()) {
  case llvm::Intrinsic::sadd_with_overflow:
    result = a.sadd_ov(b, overflows);
    break;
  case llvm::Intrinsic::uadd_with_overflow:
    result = a.uadd_ov(b, overflows);
    break;
  case llvm::Intrinsic::ssub_with_overflow:
    result = a.ssub_ov(b, overflows);
    break;
  case llvm::Intrinsic::usub_with_overflow:
    result = a.usub_ov(b, overflows);
    break;
  case llvm::Intrinsic::smul_with_overflow:
    result = a.smul_ov(b, overflows);
    break;
  default:
    result = a.umul_ov(b, overflows);
    break;
  }
  return {result, bit(overflows)};
}

IrEvaluator::Bits IrEvaluator::call(Values &values, const llvm::CallInst &call) {
  const llvm::Function &callee = *call.getCalledFunction();
  if (callee.isIntrinsic())
    return intrinsic(values, call);
  if (!callee.isDeclaration()) {
    Values arguments;
    for (const llvm::Argument &parameter : callee.args())
      arguments[&parameter] = {get(values, call.getArgOperand(parameter.getArgNo()))};
    return runFunction(callee, std::move(arguments));
  }
  if (callee.getName().starts_with("__VERIFIER_nondet_")) {
    APInt result = inputs_.front().zextOrTrunc(call.getType()->getIntegerBitWidth());
    inputs_.pop_front();
    return {result};
  }
  if (callee.getName() == "__VERIFIER_assume")
    require(!get(values, call.getArgOperand(0)).isZero());
  if (callee.getName() == "reach_error" || callee.getName() == "understudy_assert_fail")
    throw Stop{Outcome::Failed};
  return {};
}

IrEvaluator::Bits IrEvaluator::evaluate(Values &values, const Instruction &instruction) {
  auto operand = [&](unsigned i) { return get(values, instruction.getOperand(i)); };
  if (const auto *operation = dyn_cast<llvm::BinaryOperator>(&instruction))
    return {binary(*operation, operand(0), operand(1))};
  if (const auto *comparison = dyn_cast<llvm::ICmpInst>(&instruction))
    return {bit(llvm::ICmpInst::compare(operand(0), operand(1), comparison->getPredicate()))};
  if (const auto *conversion = dyn_cast<llvm::CastInst>(&instruction))
    return {cast(*conversion, operand(0))};
  if (isa<llvm::SelectInst>(instruction))
    return {operand(0).isOne() ? operand(1) : operand(2)};
  if (isa<llvm::FreezeInst>(instruction))
    return {operand(0)};
  if (const auto *extract = dyn_cast<llvm::ExtractValueInst>(&instruction))
    return {values.at(extract->getAggregateOperand()).at(extract->getIndices().front())};
  if (const auto *load = dyn_cast<llvm::LoadInst>(&instruction))
    return {cell(values, load->getPointerOperand())};
  if (const auto *store = dyn_cast<llvm::StoreInst>(&instruction)) {
    cell(values, store->getPointerOperand()) = operand(0);
    return {};
  }
  if (const auto *alloca = dyn_cast<llvm::AllocaInst>(&instruction)) {
    memory[alloca].clear();
    zeros(alloca->getAllocatedType(), memory[alloca]);
    return {};
  }
  if (isa<llvm::GetElementPtrInst>(instruction))
    return {};
  return call(values, llvm::cast<llvm::CallInst>(instruction));
}

const llvm::BasicBlock *IrEvaluator::jump(const Values &values,
                                          const Instruction &terminator) const {
  if (isa<llvm::UnreachableInst>(terminator))
    throw Stop{Outcome::Blocked};
  if (const auto *table = dyn_cast<llvm::SwitchInst>(&terminator)) {
    for (const auto &one : table->cases())
      if (one.getCaseValue()->getValue() == get(values, table->getCondition()))
        return one.getCaseSuccessor();
    return table->getDefaultDest();
  }
  const auto &branch = llvm::cast<llvm::BranchInst>(terminator);
  bool first = branch.isUnconditional() || get(values, branch.getCondition()).isOne();
  return branch.getSuccessor(first ? 0 : 1);
}

IrEvaluator::Bits IrEvaluator::runFunction(const llvm::Function &function, Values values) {
  const llvm::BasicBlock *from = nullptr;
  const llvm::BasicBlock *block = &function.getEntryBlock();
  while (true) {
    Values entered;
    for (const llvm::PHINode &phi : block->phis())
      entered[&phi] = {get(values, phi.getIncomingValueForBlock(from))};
    for (auto &[phi, bits] : entered)
      values[phi] = bits;
    for (auto at = block->getFirstNonPHIIt(); !at->isTerminator(); ++at)
      values[&*at] = evaluate(values, *at);
    const Instruction &terminator = *block->getTerminator();
    if (const auto *end = dyn_cast<llvm::ReturnInst>(&terminator))
      return end->getReturnValue() ? Bits{get(values, end->getReturnValue())} : Bits{};
    from = block;
    block = jump(values, terminator);
  }
}

} // namespace understudy::tests
