// SPDX-License-Identifier: Apache-2.0
#include "logic/VariableTable.h"

#include <algorithm>

namespace understudy::logic {

/// Precondition: the operands are known.
std::vector<VariableUse> VariableTable::unite(Term term) const {
  if (term.op() == Op::Variable)
    return {{term.variable(), term.primed()}};
  std::vector<VariableUse> result;
  for (const Term &operand : term.operands()) {
    const std::vector<VariableUse> &more = known_.at(operand);
    if (std::includes(result.begin(), result.end(), more.begin(), more.end()))
      continue;
    std::vector<VariableUse> both;
    both.reserve(result.size() + more.size());
    std::set_union(result.begin(), result.end(), more.begin(), more.end(),
                   std::back_inserter(both));
    result = std::move(both);
  }
  return result;
}

const std::vector<VariableUse> &VariableTable::of(Term term) {
  std::vector<Term> work{term};
  while (!work.empty()) {
    Term t = work.back();
    size_t before = work.size();
    if (!known_.contains(t))
      for (const Term &operand : t.operands())
        if (!known_.contains(operand))
          work.push_back(operand);
    if (work.size() > before)
      continue;
    work.pop_back();
    if (!known_.contains(t))
      known_.emplace(t, unite(t));
  }
  return known_.at(term);
}

} // namespace understudy::logic
