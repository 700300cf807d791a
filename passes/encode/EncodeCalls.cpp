// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/EncodePath.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace understudy::passes::encode {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;
using logic::Unsupported;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr unsigned maxCallDepth = 64;

} // namespace

std::optional<uint32_t> guessOf(const llvm::Instruction &instruction) {
  const llvm::MDNode *node = instruction.getMetadata(lower::names::guess);
  if (node == nullptr)
    return std::nullopt;
  const auto *place = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0));
  return static_cast<uint32_t>(place->getZExtValue());
}

Symbol PathExecutor::call(Path &path, Frame &frame, const llvm::CallBase &call) {
  switch (callKind(call)) {
  case CallKind::Assume:
    path.assume(truth(path, frame, *call.getArgOperand(0)));
    return Anything{};
  case CallKind::Input:
    return input(path, call);
  case CallKind::Inline:
    return runInline(path, frame, call);
  case CallKind::LifetimeStart:
    forget(path, *baseOf(call.getArgOperand(1)));
    return Anything{};
  default:
    if (call.isInlineAsm())
      throw Unsupported("inline assembly is not supported");
    throw Unsupported("the call to " + quoted(calleeName(call)) + " cannot be followed");
  }
}

Symbol PathExecutor::input(Path &path, const llvm::CallBase &call) {
  InputType type = inputType(call);
  if (!type.problem.empty())
    return Missing{std::make_shared<const Unsupported>(type.problem, rangeOf(call))};
  unsigned ordinal = ++path.ordinals["input " + calleeName(call)];
  Storage storage = scratch(path, layout_.input(call, ordinal));
  path.inputs.push_back({storage.variable, calleeName(call), guessOf(call)});
  return read(storage, terms_.pool().primed(storage.variable));
}

Symbol PathExecutor::runInline(Path &path, Frame &frame, const llvm::CallBase &call) {
  const llvm::Function &callee = *call.getCalledFunction();
  if (frame.depth >= maxCallDepth)
    throw Unsupported("recursion through " + quoted(callee.getName()) + " is not supported");
  Frame inner;
  inner.caller = &frame;
  inner.depth = frame.depth + 1;
  for (const llvm::Argument &parameter : callee.args()) {
    const Value &argument = *call.getArgOperand(parameter.getArgNo());
    const Value *base = baseOf(&argument);
    auto known = frame.values.find(base);
    bool isObject = objects_.find(base) ||
                    (known != frame.values.end() && std::holds_alternative<Address>(known->second));
    inner.values[&parameter] =
        isObject ? Symbol(addressOf(path, frame, argument)) : lookUp(frame, argument);
  }
  for (const llvm::Instruction &instruction : callee.getEntryBlock()) {
    if (const auto *end = dyn_cast<llvm::ReturnInst>(&instruction))
      return end->getReturnValue() ? lookUp(inner, *end->getReturnValue()) : Symbol(Anything{});
    if (isa<llvm::UnreachableInst>(instruction)) {
      path.assume(terms_.boolean(false));
      return Anything{};
    }
    execute(path, inner, instruction);
  }
  throw std::logic_error("a block without end");
}

Symbol PathExecutor::withOverflow(Path &path, Frame &frame, const llvm::CallBase &call) {
  const auto &operation = llvm::cast<llvm::WithOverflowInst>(call);
  unsigned bits = operation.getLHS()->getType()->getIntegerBitWidth();
  if (bits > 64)
    throw Unsupported("an overflow check on more than 64 bits is not supported");
  Reading reading = operation.isSigned() ? Reading::Signed : Reading::Unsigned;
  Wide least = leastOf(reading, bits);
  Wide greatest = greatestOf(reading, bits);
  Number a = arithmetic_.read(reading, number(path, frame, *operation.getLHS()), bits);
  Number b = arithmetic_.read(reading, number(path, frame, *operation.getRHS()), bits);
  if (operation.getBinaryOp() == llvm::Instruction::Mul) {
    if (a.isConstant())
      std::swap(a, b);
    Number product = arithmetic_.multiply(a, b, bits);
    return Overflowing{product,
                       terms_.negate(arithmetic_.isProductWithin(a, b.lower, least, greatest))};
  }
  Number exact = operation.getBinaryOp() == llvm::Instruction::Add
                     ? arithmetic_.exactSum(a, b)
                     : arithmetic_.exactDifference(a, b);
  return Overflowing{exact, terms_.negate(arithmetic_.isWithin(exact, least, greatest))};
}

Symbol PathExecutor::intrinsic(Path &path, Frame &frame, const llvm::CallBase &call) {
  if (isa<llvm::WithOverflowInst>(call))
    return withOverflow(path, frame, call);
  auto argument = [&](unsigned i, Reading reading) {
    const Value &value = *call.getArgOperand(i);
    return arithmetic_.read(reading, number(path, frame, value),
                            value.getType()->getIntegerBitWidth());
  };
  auto lesser = [&](Reading reading, unsigned first) {
    Number a = argument(first, reading);
    Number b = argument(1 - first, reading);
    Term isLess = arithmetic_.exactly(Comparison::LessEqual, a, b);
    return ofNumber(arithmetic_.ite(isLess, argument(0, reading), argument(1, reading)),
                    *call.getType());
  };
  bool isInteger = call.getType()->isIntegerTy();
  switch (isInteger ? call.getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
    return lookUp(frame, *call.getArgOperand(0));
  case Intrinsic::smin:
    return lesser(Reading::Signed, 0);
  case Intrinsic::umin:
    return lesser(Reading::Unsigned, 0);
  case Intrinsic::smax:
    return lesser(Reading::Signed, 1);
  case Intrinsic::umax:
    return lesser(Reading::Unsigned, 1);
  case Intrinsic::abs: {
    Number a = argument(0, Reading::Signed);
    Number opposite = arithmetic_.exactProduct(a, arithmetic_.constant(-1));
    Term isNegative = arithmetic_.exactly(Comparison::Less, a, arithmetic_.constant(0));
    Number result = arithmetic_.ite(isNegative, opposite, a);
    result.lower = std::max<Wide>(0, a.lower);
    if (!isZero(call.getArgOperand(1)))
      result = assumeWithin(path, result, Reading::Signed, call.getType()->getIntegerBitWidth());
    return ofNumber(result, *call.getType());
  }
  default:
    throw Unsupported("the operation " + quoted(calleeName(call)) + " is not supported");
  }
}

} // namespace understudy::passes::encode
