// SPDX-License-Identifier: Apache-2.0
#include "logic/Transfer.h"

#include <stdexcept>

namespace understudy::logic {

std::string Transfer::operator()(const std::string &name) const {
  auto found = names_.find(name);
  return found == names_.end() ? name : found->second;
}

Sort Transfer::operator()(Sort sort) {
  switch (sort.kind()) {
  case SortKind::Bool:
    return target_.boolSort();
  case SortKind::Int:
    return target_.intSort();
  case SortKind::Range:
    return target_.rangeSort(sort.lower(), sort.upper());
  case SortKind::Enum: {
    std::vector<Enumerator> enumerators = sort.enumerators();
    for (Enumerator &one : enumerators)
      one.name = (*this)(one.name);
    return target_.enumSort((*this)(sort.enumName()), std::move(enumerators));
  }
  case SortKind::Array:
    return target_.arraySort((*this)(sort.element()), sort.arraySize());
  }
  throw std::logic_error("unknown sort");
}

Variable Transfer::operator()(Variable variable) {
  return target_.variable((*this)(variable.scope()), (*this)(variable.name()),
                          (*this)(variable.sort()));
}

Term Transfer::operator()(Term term) {
  if (auto found = done_.find(term); found != done_.end())
    return found->second;
  Term result = compute(term);
  done_.emplace(term, result);
  return result;
}

Term Transfer::compute(Term term) {
  if (term.op() == Op::Constant)
    return target_.constant((*this)(term.sort()), term.value());
  if (term.op() == Op::Variable) {
    const Variable variable = (*this)(term.variable());
    return term.primed() ? target_.primed(variable) : target_.var(variable);
  }
  std::vector<Term> operands;
  for (const Term &operand : term.operands())
    operands.push_back((*this)(operand));
  if (term.op() == Op::ConstArray)
    return target_.constArray((*this)(term.sort()), operands.front());
  return target_.rebuild(term, std::move(operands));
}

} // namespace understudy::logic
