// SPDX-License-Identifier: Apache-2.0
#include "passes/checker/ContractCode.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace understudy::passes::checker {

using logic::Op;
using logic::Term;

const Elements &ContractCode::value(Term term) {
  auto found = done_.find(term);
  if (found == done_.end())
    found = done_.emplace(term, compute(term)).first;
  return found->second;
}

llvm::Constant *ContractCode::number(int64_t value) {
  return llvm::ConstantInt::get(wide_, static_cast<uint64_t>(value), true);
}

Elements ContractCode::compute(Term term) {
  switch (term.op()) {
  case Op::Constant:
    if (term.sort().isBool())
      return {builder_.getInt1(term.value() != 0)};
    return {number(term.value())};
  case Op::Variable:
    return lookup_(term.variable(), term.primed());
  case Op::Ite:
    return choose(scalar(term.operand(0)), value(term.operand(1)), value(term.operand(2)));
  case Op::Select:
    return {select(value(term.operand(0)), scalar(term.operand(1)))};
  case Op::Store:
    return store(value(term.operand(0)), scalar(term.operand(1)), scalar(term.operand(2)));
  case Op::ConstArray:
    return Elements(static_cast<size_t>(term.sort().arraySize().value_or(0)),
                    scalar(term.operand(0)));
  case Op::Not:
  case Op::And:
  case Op::Or:
  case Op::Implies:
  case Op::Equal:
  case Op::Less:
  case Op::LessEqual:
    return {logical(term)};
  case Op::Add:
  case Op::Multiply:
  case Op::Divide:
  case Op::Remainder:
    return {arithmetic(term)};
  }
  throw std::logic_error("unknown operation");
}

llvm::Value *ContractCode::logical(Term term) {
  switch (term.op()) {
  case Op::Not:
    return builder_.CreateNot(scalar(term.operand(0)));
  case Op::And:
  case Op::Or: {
    llvm::Value *result = scalar(term.operand(0));
    for (size_t i = 1; i < term.operands().size(); ++i)
      result = term.op() == Op::And ? builder_.CreateAnd(result, scalar(term.operand(i)))
                                    : builder_.CreateOr(result, scalar(term.operand(i)));
    return result;
  }
  case Op::Implies:
    return builder_.CreateOr(builder_.CreateNot(scalar(term.operand(0))), scalar(term.operand(1)));
  case Op::Equal:
    return equal(value(term.operand(0)), value(term.operand(1)));
  case Op::Less:
    return builder_.CreateICmpSLT(scalar(term.operand(0)), scalar(term.operand(1)));
  case Op::LessEqual:
    return builder_.CreateICmpSLE(scalar(term.operand(0)), scalar(term.operand(1)));
  default:
    throw std::logic_error("not a logical operation");
  }
}

llvm::Value *ContractCode::arithmetic(Term term) {
  llvm::Value *result = scalar(term.operand(0));
  switch (term.op()) {
  case Op::Add:
    for (size_t i = 1; i < term.operands().size(); ++i)
      result = builder_.CreateNSWAdd(result, scalar(term.operand(i)));
    return result;
  case Op::Multiply:
    return builder_.CreateNSWMul(result, number(term.value()));
  case Op::Divide:
    return builder_.CreateSDiv(result, number(term.value()));
  case Op::Remainder:
    return builder_.CreateSRem(result, number(term.value()));
  default:
    throw std::logic_error("not an arithmetic operation");
  }
}

llvm::Value *ContractCode::equal(const Elements &a, const Elements &b) {
  llvm::Value *result = builder_.getTrue();
  for (size_t i = 0; i < a.size(); ++i)
    result = builder_.CreateAnd(result, builder_.CreateICmpEQ(a[i], b.at(i)));
  return result;
}

Elements ContractCode::choose(llvm::Value *condition, const Elements &yes, const Elements &no) {
  Elements result;
  for (size_t i = 0; i < yes.size(); ++i)
    result.push_back(builder_.CreateSelect(condition, yes[i], no.at(i)));
  return result;
}

/// An index outside is excluded by the formula's own definedness condition.
llvm::Value *ContractCode::select(const Elements &array, llvm::Value *index) {
  llvm::Value *result = array.front();
  for (size_t i = 1; i < array.size(); ++i)
    result = builder_.CreateSelect(builder_.CreateICmpEQ(index, number(static_cast<int64_t>(i))),
                                   array[i], result);
  return result;
}

Elements ContractCode::store(const Elements &array, llvm::Value *index, llvm::Value *element) {
  Elements result;
  for (size_t i = 0; i < array.size(); ++i)
    result.push_back(builder_.CreateSelect(
        builder_.CreateICmpEQ(index, number(static_cast<int64_t>(i))), element, array[i]));
  return result;
}

namespace {

/// Magnitudes as powers of two, rounded up.
class Width {
public:
  explicit Width(const std::function<unsigned(logic::Variable)> &bitsOf) : bitsOf_(bitsOf) {}

  unsigned most() const { return most_; }

  unsigned of(Term term) {
    auto found = done_.find(term);
    if (found != done_.end())
      return found->second;
    unsigned bits = std::min(compute(term), 200u);
    most_ = std::max(most_, bits);
    done_.emplace(term, bits);
    return bits;
  }

private:
  const std::function<unsigned(logic::Variable)> &bitsOf_;
  std::unordered_map<Term, unsigned> done_;
  unsigned most_ = 1;

  static unsigned ofNumber(int64_t value) {
    uint64_t magnitude =
        value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    return static_cast<unsigned>(std::bit_width(magnitude));
  }

  unsigned compute(Term term) {
    unsigned largest = 0;
    for (const Term &operand : term.operands())
      largest = std::max(largest, of(operand));
    switch (term.op()) {
    case Op::Constant:
      return ofNumber(term.value());
    case Op::Variable:
      return bitsOf_(term.variable());
    case Op::Add:
      return largest + static_cast<unsigned>(std::bit_width(term.operands().size()));
    case Op::Multiply:
      return largest + ofNumber(term.value());
    case Op::Divide:
    case Op::Remainder:
      return std::max(largest, ofNumber(term.value()));
    default:
      return largest;
    }
  }
};

} // namespace

unsigned bitsNeeded(Term term, const std::function<unsigned(logic::Variable)> &bitsOf) {
  Width width(bitsOf);
  width.of(term);
  return width.most();
}

} // namespace understudy::passes::checker
