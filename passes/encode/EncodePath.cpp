// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/EncodePath.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Operator.h>

namespace understudy::passes::encode {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;
using logic::Unsupported;

namespace {

Symbol missing(const std::string &reason) {
  return Missing{std::make_shared<const Unsupported>(reason)};
}

unsigned bitsOrOne(const Value &value) {
  return value.getType()->isIntegerTy() ? value.getType()->getIntegerBitWidth() : 1;
}

Wide wideOf(const llvm::APInt &value) {
  if (value.getSignificantBits() > 124)
    throw Unsupported("a number of more than 124 bits is not supported");
  llvm::APInt all = value.sextOrTrunc(128);
  uint64_t high = all.extractBitsAsZExtValue(64, 64);
  return static_cast<Wide>(static_cast<int64_t>(high)) * (Wide{1} << 64) +
         static_cast<Wide>(all.extractBitsAsZExtValue(64, 0));
}

} // namespace

logic::SourceRange PathExecutor::rangeOf(const llvm::Instruction &instruction) {
  return sources_.range(instruction);
}

Symbol PathExecutor::constantSymbol(const llvm::Constant &constant) {
  if (isa<llvm::UndefValue>(constant))
    return Anything{};
  if (const auto *integer = dyn_cast<llvm::ConstantInt>(&constant)) {
    if (integer->getType()->isIntegerTy(1))
      return terms_.boolean(integer->isOne());
    return arithmetic_.constant(wideOf(integer->getValue()));
  }
  return constant.getType()->isPointerTy()
             ? pointerSymbol(constant)
             : missing("a constant that is not an integer is not supported");
}

/// Addresses are seen as pointers here: only whether they are null.
Symbol PathExecutor::pointerSymbol(const Value &value) {
  if (isa<llvm::ConstantPointerNull>(value))
    return terms_.boolean(false);
  const Value *base = baseOf(&value);
  if (const auto *global = dyn_cast<llvm::GlobalValue>(base))
    return global->hasExternalWeakLinkage()
               ? missing("the address of a weak symbol is not supported")
               : Symbol(terms_.boolean(true));
  return isa<llvm::AllocaInst>(base) ? Symbol(terms_.boolean(true))
                                     : missing("address arithmetic is not supported");
}

Symbol PathExecutor::read(const Storage &storage, Term variable) {
  switch (storage.kind) {
  case Storage::Kind::Boolean:
    return variable;
  case Storage::Kind::ZeroOne:
    return arithmetic_.ofBoolean(variable);
  case Storage::Kind::Number:
    return Number{variable, storage.lower, storage.upper};
  }
  throw std::logic_error("unknown storage");
}

/// Numbers of which only the truth matters are truth values from the start.
Symbol PathExecutor::inForm(Symbol symbol, const Value &value) {
  Form form = forms_.of(value);
  const auto *known = std::get_if<Number>(&symbol);
  if (!known || form == Form::Number || form == Form::None)
    return symbol;
  unsigned bits = form == Form::Pointer ? 64 : bitsOrOne(value);
  return arithmetic_.isNonZero(*known, bits);
}

Symbol PathExecutor::lookUp(const Frame &frame, const Value &value) {
  if (auto found = frame.values.find(&value); found != frame.values.end())
    return found->second;
  if (const auto *constant = dyn_cast<llvm::Constant>(&value))
    return constantSymbol(*constant);
  if (isAddress(&value))
    return pointerSymbol(value);
  if (const Storage *storage = frame.caller ? nullptr : layout_.find(value))
    return inForm(read(*storage, terms_.pool().var(storage->variable)), value);
  const llvm::Type *type = value.getType();
  return missing(type->isFloatingPointTy() ? "floating-point arithmetic is not supported"
                 : type->isIntegerTy()
                     ? "an integer of more than 64 bits between two steps is not supported"
                     : "a value that is neither integer nor pointer is not supported");
}

Storage PathExecutor::scratch(Path &path, const Storage &storage) {
  path.modified.push_back(storage.variable);
  if (storage.kind == Storage::Kind::Number)
    path.assume(layout_.inRange(storage, terms_.pool().primed(storage.variable)));
  return storage;
}

Number PathExecutor::anyNumber(Path &path, unsigned bits) {
  if (bits > 64)
    throw Unsupported("an uninitialised integer of more than 64 bits is not supported");
  unsigned ordinal = ++path.ordinals["any " + std::to_string(bits)];
  Storage storage = scratch(path, layout_.anyNumber(bits, ordinal));
  return {terms_.pool().primed(storage.variable), storage.lower, storage.upper};
}

Number PathExecutor::number(Path &path, const Symbol &symbol, unsigned bits) {
  if (const auto *known = std::get_if<Number>(&symbol))
    return *known;
  if (const auto *boolean = std::get_if<Term>(&symbol))
    return arithmetic_.ofBoolean(*boolean);
  if (std::holds_alternative<Anything>(symbol))
    return anyNumber(path, bits);
  if (const auto *nothing = std::get_if<Missing>(&symbol))
    throw *nothing->why;
  throw Unsupported("a value that is not an integer is not supported");
}

Number PathExecutor::number(Path &path, const Frame &frame, const Value &value) {
  // A truth value has lost its number; the forms see to it that nobody asks for it.
  if (forms_.of(value) == Form::Truth)
    throw std::logic_error("the number of a truth value");
  return number(path, lookUp(frame, value), bitsOrOne(value));
}

Term PathExecutor::truth(Path &path, const Symbol &symbol, unsigned bits) {
  if (const auto *boolean = std::get_if<Term>(&symbol))
    return *boolean;
  if (std::holds_alternative<Anything>(symbol)) {
    Storage storage = scratch(path, layout_.anyBoolean(++path.ordinals["any"]));
    return terms_.pool().primed(storage.variable);
  }
  if (std::holds_alternative<Address>(symbol))
    return terms_.boolean(true);
  return arithmetic_.isNonZero(number(path, symbol, bits), bits);
}

Term PathExecutor::truth(Path &path, const Frame &frame, const Value &value) {
  return truth(path, lookUp(frame, value), bitsOrOne(value));
}

Symbol PathExecutor::ofNumber(Number result, const llvm::Type &type) {
  if (!type.isIntegerTy(1))
    return result;
  return terms_.equal(arithmetic_.lowBits(result, 1).term, terms_.integer(1));
}

void PathExecutor::enter(Path &path, const llvm::BasicBlock &block, const llvm::BasicBlock &from) {
  std::vector<std::pair<const Value *, Symbol>> entered;
  for (const llvm::PHINode &phi : block.phis())
    if (scope_.isExecuted(phi)) {
      const Value &incoming = *phi.getIncomingValueForBlock(&from);
      entered.emplace_back(&phi, inForm(lookUp(path.frame, incoming), phi));
    }
  for (auto &[phi, symbol] : entered)
    path.frame.values[phi] = std::move(symbol);
}

Term PathExecutor::condition(Path &path, const Value &value) {
  return truth(path, path.frame, value);
}

Term PathExecutor::isCase(Path &path, const Value &value, const llvm::ConstantInt &constant) {
  if (constant.getType()->isIntegerTy(1))
    return terms_.equal(truth(path, path.frame, value), terms_.boolean(constant.isOne()));
  return arithmetic_.equal(number(path, path.frame, value),
                           arithmetic_.constant(wideOf(constant.getValue())), bitsOrOne(value));
}

void PathExecutor::setTo(Path &path, Variable variable, Term value, std::vector<Term> &equations) {
  if (value == terms_.pool().var(variable))
    return;
  path.modified.push_back(variable);
  equations.push_back(terms_.equal(terms_.pool().primed(variable), value));
}

void PathExecutor::assign(Path &path, const Storage &storage, const Symbol &symbol,
                          std::vector<Term> &equations) {
  if (std::holds_alternative<Anything>(symbol)) {
    scratch(path, storage);
    return;
  }
  Term value;
  if (storage.kind == Storage::Kind::Number)
    value =
        arithmetic_.read(storage.reading, number(path, symbol, storage.bits), storage.bits).term;
  else
    value = truth(path, symbol, storage.bits);
  setTo(path, storage.variable, value, equations);
}

void PathExecutor::assignValue(Path &path, const Value &value, std::vector<Term> &equations) {
  auto found = path.frame.values.find(&value);
  const Storage *storage = layout_.find(value);
  if (found == path.frame.values.end() || !storage)
    return;
  assign(path, *storage, found->second, equations);
}

} // namespace understudy::passes::encode
