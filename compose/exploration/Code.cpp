// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/Code.h"

#include "logic/Error.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace understudy::compose::exploration {

using logic::Sort;
using logic::Term;

int64_t ArrayTable::handle(const logic::ArrayValue &array) {
  auto [entry, isNew] = handles_.emplace(array, static_cast<int64_t>(arrays_.size()));
  if (isNew)
    arrays_.push_back(array);
  return entry->second;
}

Code::Code(Term term, const SlotOf &slotOf) { compile(term, slotOf); }

void Code::emit(Op op, int64_t argument, Sort sort) {
  instructions_.push_back({op, argument, sort});
}

/// Operands of && and || stay on the stack only if they decide; `a => b` is !a || b.
void Code::compileChain(Term term, const SlotOf &slotOf) {
  std::vector<size_t> jumps;
  Op jump = term.op() == logic::Op::And ? Op::JumpIfFalse : Op::JumpIfTrue;
  for (size_t i = 0; i < term.operands().size(); ++i) {
    compile(term.operand(i), slotOf);
    if (term.op() == logic::Op::Implies && i == 0)
      emit(Op::Not);
    if (i + 1 == term.operands().size())
      break;
    jumps.push_back(instructions_.size());
    emit(jump);
    --depth_;
  }
  for (size_t at : jumps)
    instructions_[at].argument = static_cast<int64_t>(instructions_.size());
}

void Code::compileIte(Term term, const SlotOf &slotOf) {
  compile(term.operand(0), slotOf);
  size_t branch = instructions_.size();
  emit(Op::Branch);
  --depth_;
  compile(term.operand(1), slotOf);
  size_t jump = instructions_.size();
  emit(Op::Jump);
  --depth_;
  instructions_[branch].argument = static_cast<int64_t>(instructions_.size());
  compile(term.operand(2), slotOf);
  instructions_[jump].argument = static_cast<int64_t>(instructions_.size());
}

void Code::compile(Term term, const SlotOf &slotOf) {
  auto operands = [&] {
    for (const Term &t : term.operands())
      compile(t, slotOf);
    depth_ -= term.operands().size();
    pushed(1);
  };
  switch (term.op()) {
  case logic::Op::Constant:
    emit(Op::Push, term.value());
    return pushed(1);
  case logic::Op::Variable:
    emit(Op::Load, slotOf(term.variable(), term.primed()));
    return pushed(1);
  case logic::Op::Not:
    operands();
    return emit(Op::Not);
  case logic::Op::And:
  case logic::Op::Or:
  case logic::Op::Implies:
    return compileChain(term, slotOf);
  case logic::Op::Ite:
    return compileIte(term, slotOf);
  case logic::Op::Equal:
    operands();
    return emit(Op::Equal);
  case logic::Op::Less:
    operands();
    return emit(Op::Less);
  case logic::Op::LessEqual:
    operands();
    return emit(Op::LessEqual);
  case logic::Op::Add:
    compile(term.operand(0), slotOf);
    for (size_t i = 1; i < term.operands().size(); ++i) {
      compile(term.operand(i), slotOf);
      emit(Op::Add);
      --depth_;
    }
    return;
  case logic::Op::Multiply:
    operands();
    return emit(Op::Multiply, term.value());
  case logic::Op::Divide:
    operands();
    return emit(Op::Divide, term.value());
  case logic::Op::Remainder:
    operands();
    return emit(Op::Remainder, term.value());
  case logic::Op::Select:
    operands();
    return emit(Op::Select);
  case logic::Op::Store:
    operands();
    return emit(Op::Store);
  case logic::Op::ConstArray:
    operands();
    return emit(Op::ConstArray, 0, term.sort());
  }
  throw std::logic_error("unknown operation");
}

int64_t Code::run(const int64_t *slots, ArrayTable &arrays) const {
  constexpr size_t small = 32;
  if (maxDepth_ <= small) {
    std::array<int64_t, small> stack;
    return runOn(slots, arrays, stack.data());
  }
  std::vector<int64_t> stack(maxDepth_);
  return runOn(slots, arrays, stack.data());
}

int64_t Code::runOn(const int64_t *slots, ArrayTable &arrays, int64_t *stack) const {
  int64_t *top = stack - 1;
  auto binary = [&](int64_t value) {
    --top;
    *top = value;
  };
  for (size_t at = 0; at < instructions_.size(); ++at) {
    const Instruction &in = instructions_[at];
    switch (in.op) {
    case Op::Push:
      *++top = in.argument;
      break;
    case Op::Load:
      *++top = slots[in.argument];
      break;
    case Op::Not:
      *top = *top == 0;
      break;
    case Op::Equal:
      binary(top[-1] == *top);
      break;
    case Op::Less:
      binary(top[-1] < *top);
      break;
    case Op::LessEqual:
      binary(top[-1] <= *top);
      break;
    case Op::Add:
      binary(logic::checkedAdd(top[-1], *top));
      break;
    case Op::Multiply:
      *top = logic::checkedMultiply(in.argument, *top);
      break;
    case Op::Divide:
      *top /= in.argument;
      break;
    case Op::Remainder:
      *top %= in.argument;
      break;
    case Op::JumpIfFalse:
    case Op::JumpIfTrue:
      if ((*top != 0) == (in.op == Op::JumpIfTrue))
        at = static_cast<size_t>(in.argument) - 1;
      else
        --top;
      break;
    case Op::Branch:
      if (*top-- == 0)
        at = static_cast<size_t>(in.argument) - 1;
      break;
    case Op::Jump:
      at = static_cast<size_t>(in.argument) - 1;
      break;
    case Op::Select:
      binary(arrays.array(top[-1]).at(*top));
      break;
    case Op::Store: {
      int64_t stored = arrays.handle(arrays.array(top[-2]).with(top[-1], *top));
      top -= 2;
      *top = stored;
      break;
    }
    case Op::ConstArray:
      *top = arrays.handle(logic::constantArray(in.sort, *top).array());
      break;
    }
  }
  return *top;
}

} // namespace understudy::compose::exploration
