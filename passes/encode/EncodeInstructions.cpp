// SPDX-License-Identifier: Apache-2.0
//
// One instruction on a path. Flags that make a result poison (nsw, nuw, exact, nneg) are C's
// undefined behaviour, which is assumed absent: they become guards.
#include "passes/encode/EncodePath.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace understudy::passes::encode {

using llvm::cast;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;
using logic::Unsupported;

namespace {

unsigned bitsOf(const Value &value) { return value.getType()->getIntegerBitWidth(); }

std::string describe(const Instruction &instruction) {
  if (instruction.getType()->isFPOrFPVectorTy() || isa<llvm::FCmpInst>(instruction))
    return "floating-point arithmetic is not supported";
  if (isa<llvm::PtrToIntInst, llvm::IntToPtrInst>(instruction))
    return "a conversion between pointer and integer is not supported";
  if (isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction))
    return "floating-point arithmetic is not supported";
  if (instruction.getType()->isVectorTy())
    return "vector arithmetic is not supported";
  if (isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return "an atomic operation that is not a step is not supported";
  return "the instruction " + quoted(instruction.getOpcodeName()) + " is not supported";
}

bool isValue(const Instruction &instruction) {
  if (const auto *call = dyn_cast<llvm::CallBase>(&instruction))
    return callKind(*call) == CallKind::Pure || callKind(*call) == CallKind::Ignored;
  return !instruction.getType()->isVoidTy() &&
         !isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::VAArgInst>(instruction);
}

} // namespace

void PathExecutor::execute(Path &path, Frame &frame, const Instruction &instruction) {
  if (isa<llvm::AllocaInst>(instruction)) {
    if (!instruction.getParent()->isEntryBlock())
      forget(path, instruction);
    return;
  }
  if (!scope_.isExecuted(instruction))
    return;
  try {
    if (!isValue(instruction))
      perform(path, frame, instruction);
    else
      frame.values[&instruction] = inForm(evaluate(path, frame, instruction), instruction);
  } catch (const Unsupported &why) {
    Unsupported placed(why.what(), why.range().known() ? why.range() : rangeOf(instruction));
    if (!isValue(instruction))
      throw placed;
    auto place = guessOf(instruction);
    frame.values[&instruction] = place
                                     ? inForm(guessed(path, instruction, *place), instruction)
                                     : Symbol(Missing{std::make_shared<const Unsupported>(placed)});
  }
}

/// Any value, instead of one that has no exact translation.
Symbol PathExecutor::guessed(Path &path, const Instruction &instruction, uint32_t place) {
  auto name = [&](const std::string &kind) { return ++path.ordinals["any " + kind]; };
  unsigned bits = bitsOf(instruction);
  Storage storage = scratch(path, bits == 1 ? layout_.anyBoolean(++path.ordinals["any"])
                                            : layout_.anyNumber(bits, name(std::to_string(bits))));
  path.inputs.push_back({storage.variable, "", place});
  return read(storage, terms_.pool().primed(storage.variable));
}

/// What has an effect, or whose failure cannot wait.
void PathExecutor::perform(Path &path, Frame &frame, const Instruction &instruction) {
  if (const auto *storing = dyn_cast<llvm::StoreInst>(&instruction))
    store(path, frame, *storing);
  else if (const auto *calling = dyn_cast<llvm::CallBase>(&instruction)) {
    Symbol result = call(path, frame, *calling);
    if (!calling->getType()->isVoidTy())
      frame.values[calling] = inForm(std::move(result), *calling);
  } else if (!isa<llvm::FenceInst>(instruction))
    throw Unsupported(describe(instruction));
}

Symbol PathExecutor::evaluate(Path &path, Frame &frame, const Instruction &instruction) {
  if (const auto *operation = dyn_cast<llvm::BinaryOperator>(&instruction);
      operation && operation->getType()->isIntegerTy())
    return binary(path, frame, *operation);
  if (const auto *comparison = dyn_cast<llvm::ICmpInst>(&instruction))
    return compare(path, frame, *comparison);
  if (const auto *conversion = dyn_cast<llvm::CastInst>(&instruction))
    return this->cast(path, frame, *conversion);
  if (const auto *choice = dyn_cast<llvm::SelectInst>(&instruction))
    return choose(path, frame, *choice);
  if (isa<llvm::FreezeInst>(instruction))
    return freeze(path, frame, *instruction.getOperand(0));
  if (const auto *loading = dyn_cast<llvm::LoadInst>(&instruction))
    return load(path, frame, *loading);
  if (const auto *calling = dyn_cast<llvm::CallBase>(&instruction))
    return intrinsic(path, frame, *calling);
  if (const auto *extract = dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    Symbol pair = lookUp(frame, *extract->getAggregateOperand());
    if (const auto *known = std::get_if<Overflowing>(&pair))
      return extract->getIndices().front() == 0 ? ofNumber(known->value, *extract->getType())
                                                : Symbol(known->overflows);
    if (std::holds_alternative<Missing>(pair))
      return pair;
  }
  throw Unsupported(describe(instruction));
}

Symbol PathExecutor::binary(Path &path, Frame &frame, const llvm::BinaryOperator &operation) {
  const Value &left = *operation.getOperand(0);
  const Value &right = *operation.getOperand(1);
  if (operation.getType()->isIntegerTy(1) && operation.isBitwiseLogicOp()) {
    Term a = truth(path, frame, left);
    Term b = truth(path, frame, right);
    if (operation.getOpcode() == Instruction::And)
      return terms_.both(a, b);
    return operation.getOpcode() == Instruction::Or ? terms_.either(a, b)
                                                    : terms_.negate(terms_.equal(a, b));
  }
  Number a = number(path, frame, left);
  Number b = number(path, frame, right);
  Number result;
  if (isa<llvm::OverflowingBinaryOperator>(operation))
    result = overflowing(path, operation, a, b);
  else if (operation.isBitwiseLogicOp())
    result = bitwise(operation, a, b);
  else
    result = division(path, operation, a, b);
  return ofNumber(result, *operation.getType());
}

Number PathExecutor::assumeWithin(Path &path, Number exact, Reading reading, unsigned bits) {
  Wide least = leastOf(reading, bits);
  Wide greatest = greatestOf(reading, bits);
  path.assume(arithmetic_.isWithin(exact, least, greatest));
  // A path on which it lies outside ends here.
  exact.lower = std::clamp(exact.lower, least, greatest);
  exact.upper = std::clamp(exact.upper, least, greatest);
  return exact;
}

Number PathExecutor::shiftFactor(Number by, unsigned bits) {
  if (!by.isConstant())
    throw Unsupported("a shift by a variable is not supported");
  Wide amount = arithmetic_.read(Reading::Unsigned, by, bits).lower;
  if (amount >= bits || amount > 120)
    throw Unsupported("a shift by the type's width or more is not supported");
  return arithmetic_.constant(Wide{1} << static_cast<unsigned>(amount));
}

/// The result of an operation that is assumed not to overflow in the reading.
Number PathExecutor::exactResult(Path &path, const llvm::BinaryOperator &operation, Reading reading,
                                 Number a, Number b) {
  unsigned bits = bitsOf(operation);
  a = arithmetic_.read(reading, a, bits);
  if (operation.getOpcode() != Instruction::Shl)
    b = arithmetic_.read(reading, b, bits);
  switch (operation.getOpcode()) {
  case Instruction::Add:
    return assumeWithin(path, arithmetic_.exactSum(a, b), reading, bits);
  case Instruction::Sub:
    return assumeWithin(path, arithmetic_.exactDifference(a, b), reading, bits);
  default:
    break;
  }
  if (a.isConstant())
    std::swap(a, b);
  if (!b.isConstant())
    throw Unsupported("a multiplication of two variables is not supported");
  Wide least = leastOf(reading, bits);
  Wide greatest = greatestOf(reading, bits);
  path.assume(arithmetic_.isProductWithin(a, b.lower, least, greatest));
  return arithmetic_.productWithin(a, b.lower, least, greatest);
}

Number PathExecutor::overflowing(Path &path, const llvm::BinaryOperator &operation, Number a,
                                 Number b) {
  unsigned bits = bitsOf(operation);
  auto code = operation.getOpcode();
  if (code == Instruction::Shl)
    b = shiftFactor(b, bits);
  std::optional<Number> result;
  if (operation.hasNoUnsignedWrap() && bits <= 64)
    result = exactResult(path, operation, Reading::Unsigned, a, b);
  if (operation.hasNoSignedWrap() && bits <= 124)
    result = exactResult(path, operation, Reading::Signed, a, b);
  if (result)
    return *result;
  return code == Instruction::Add   ? arithmetic_.add(a, b, bits)
         : code == Instruction::Sub ? arithmetic_.subtract(a, b, bits)
                                    : arithmetic_.multiply(a, b, bits);
}

Number PathExecutor::division(Path &path, const llvm::BinaryOperator &operation, Number a,
                              Number b) {
  unsigned bits = bitsOf(operation);
  auto code = operation.getOpcode();
  bool isSigned =
      code == Instruction::SDiv || code == Instruction::SRem || code == Instruction::AShr;
  Reading reading = isSigned ? Reading::Signed : Reading::Unsigned;
  if (code == Instruction::LShr || code == Instruction::AShr) {
    if (!b.isConstant())
      throw Unsupported("a shift by a variable is not supported");
    Wide by = arithmetic_.read(Reading::Unsigned, b, bits).lower;
    if (by >= bits)
      throw Unsupported("a shift by the type's width or more is not supported");
    auto shift = static_cast<unsigned>(by);
    if (operation.isExact() && bits <= 64)
      path.assume(terms_.equal(arithmetic_.lowBits(a, shift).term, terms_.integer(0)));
    return arithmetic_.shiftRight(reading, a, shift, bits);
  }
  bool isQuotient = code == Instruction::SDiv || code == Instruction::UDiv;
  Number quotient = arithmetic_.divide(reading, a, b, bits);
  Number rest = arithmetic_.remainder(reading, a, b, bits);
  // The least number divided by -1 has no result.
  if (isSigned && bits <= 64)
    quotient = assumeWithin(path, quotient, reading, bits);
  if (isQuotient && operation.isExact())
    path.assume(arithmetic_.exactly(Comparison::Equal, rest, arithmetic_.constant(0)));
  return isQuotient ? quotient : rest;
}

Number PathExecutor::bitwise(const llvm::BinaryOperator &operation, Number a, Number b) {
  unsigned bits = bitsOf(operation);
  switch (operation.getOpcode()) {
  case Instruction::And:
    return arithmetic_.bitAnd(a, b, bits);
  case Instruction::Or:
    return arithmetic_.bitOr(a, b, bits);
  default:
    return arithmetic_.bitXor(a, b, bits);
  }
}

Symbol PathExecutor::comparePointers(Path &path, Frame &frame, const llvm::ICmpInst &comparison) {
  const Value *left = comparison.getOperand(0);
  const Value *right = comparison.getOperand(1);
  if (isa<llvm::ConstantPointerNull>(left))
    std::swap(left, right);
  if (!comparison.isEquality() || !isa<llvm::ConstantPointerNull>(right))
    throw Unsupported("a comparison of two pointers is not supported");
  Term isSet = truth(path, frame, *left);
  return comparison.getPredicate() == llvm::CmpInst::ICMP_EQ ? terms_.negate(isSet) : isSet;
}

Symbol PathExecutor::compare(Path &path, Frame &frame, const llvm::ICmpInst &comparison) {
  const Value *left = comparison.getOperand(0);
  const Value *right = comparison.getOperand(1);
  if (left->getType()->isPointerTy())
    return comparePointers(path, frame, comparison);
  if (!left->getType()->isIntegerTy())
    throw Unsupported(describe(comparison));
  unsigned bits = bitsOf(*left);
  if (comparison.isEquality()) {
    Term same;
    if (isZero(left))
      std::swap(left, right);
    if (isZero(right))
      same = terms_.negate(truth(path, frame, *left));
    else if (bits == 1)
      same = terms_.equal(truth(path, frame, *left), truth(path, frame, *right));
    else
      same = arithmetic_.equal(number(path, frame, *left), number(path, frame, *right), bits);
    return comparison.getPredicate() == llvm::CmpInst::ICMP_EQ ? same : terms_.negate(same);
  }
  Reading reading = comparison.isSigned() ? Reading::Signed : Reading::Unsigned;
  Number a = arithmetic_.read(reading, number(path, frame, *left), bits);
  Number b = arithmetic_.read(reading, number(path, frame, *right), bits);
  if (comparison.isGT(comparison.getPredicate()) || comparison.isGE(comparison.getPredicate()))
    std::swap(a, b);
  bool isStrict = !llvm::CmpInst::isNonStrictPredicate(comparison.getPredicate());
  return arithmetic_.exactly(isStrict ? Comparison::Less : Comparison::LessEqual, a, b);
}

Symbol PathExecutor::cast(Path &path, Frame &frame, const llvm::CastInst &conversion) {
  const Value &source = *conversion.getOperand(0);
  if (!source.getType()->isIntegerTy() || !conversion.getType()->isIntegerTy())
    throw Unsupported(describe(conversion));
  unsigned from = bitsOf(source);
  unsigned to = bitsOf(conversion);
  // Widening keeps "is it 0?".
  if (isa<llvm::SExtInst, llvm::ZExtInst>(conversion) && forms_.of(conversion) == Form::Truth)
    return truth(path, frame, source);
  Number value = number(path, frame, source);
  if (isa<llvm::SExtInst>(conversion))
    return arithmetic_.read(Reading::Signed, value, from);
  if (const auto *extension = dyn_cast<llvm::ZExtInst>(&conversion)) {
    if (!extension->hasNonNeg())
      return arithmetic_.read(Reading::Unsigned, value, from);
    Number read = arithmetic_.read(Reading::Signed, value, from);
    path.assume(arithmetic_.isWithin(read, 0, greatestOf(Reading::Signed, from)));
    return Number{read.term, std::max<Wide>(read.lower, 0), std::max<Wide>(read.upper, 0)};
  }
  if (const auto *truncation = dyn_cast<llvm::TruncInst>(&conversion)) {
    if (truncation->hasNoSignedWrap())
      value =
          assumeWithin(path, arithmetic_.read(Reading::Signed, value, from), Reading::Signed, to);
    else if (truncation->hasNoUnsignedWrap())
      value = assumeWithin(path, arithmetic_.read(Reading::Unsigned, value, from),
                           Reading::Unsigned, to);
  }
  return ofNumber(value, *conversion.getType());
}

Symbol PathExecutor::choose(Path &path, Frame &frame, const llvm::SelectInst &choice) {
  Term condition = truth(path, frame, *choice.getCondition());
  const Value &yes = *choice.getTrueValue();
  const Value &no = *choice.getFalseValue();
  if (condition.isConstant())
    return lookUp(frame, condition.isTrue() ? yes : no);
  if (forms_.of(choice) == Form::Number)
    return arithmetic_.ite(condition, number(path, frame, yes), number(path, frame, no));
  if (forms_.of(choice) == Form::None)
    throw Unsupported(describe(choice));
  return terms_.ite(condition, truth(path, frame, yes), truth(path, frame, no));
}

Symbol PathExecutor::freeze(Path &path, Frame &frame, const Value &operand) {
  Symbol symbol = lookUp(frame, operand);
  if (!std::holds_alternative<Anything>(symbol))
    return symbol;
  if (forms_.of(operand) == Form::Number)
    return anyNumber(path, bitsOf(operand));
  return truth(path, symbol, 1);
}

} // namespace understudy::passes::encode
