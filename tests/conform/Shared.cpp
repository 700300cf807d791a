// SPDX-License-Identifier: Apache-2.0
#include "Shared.h"

#include <algorithm>
#include <cassert>

namespace understudy::tests {

const std::vector<std::pair<std::string, int>> &enumerators() {
  static const std::vector<std::pair<std::string, int>> all = {
      {"idle", 0}, {"busy", 4}, {"dead", 5}};
  return all;
}

std::string enumeratorNamed(int value) {
  for (const auto &[name, number] : enumerators())
    if (number == value)
      return name;
  assert(false && "not a value of the enum");
  return {};
}

size_t dataCount(const std::vector<SharedVariable> &variables) {
  return static_cast<size_t>(std::count_if(variables.begin(), variables.end(),
                                           [](const SharedVariable &v) { return !v.isLock(); }));
}

std::vector<int> valuesOf(ContractType type, int lower, int upper) {
  std::vector<int> values;
  if (type == ContractType::Enum)
    for (const auto &[name, number] : enumerators())
      values.push_back(number);
  else
    for (int value = type == ContractType::Bool ? 0 : lower;
         value <= (type == ContractType::Bool ? 1 : upper); ++value)
      values.push_back(value);
  return values;
}

SharedSpace::SharedSpace(std::vector<SharedVariable> variables) : variables_(std::move(variables)) {
  states_.emplace_back();
  for (const SharedVariable &variable : variables_) {
    domains_.push_back(valuesOf(variable.type, variable.lower, variable.upper));
    std::vector<std::vector<int>> longer;
    for (const std::vector<int> &state : states_)
      for (int value : domains_.back()) {
        longer.push_back(state);
        longer.back().push_back(value);
      }
    states_ = std::move(longer);
  }
  weights_.assign(variables_.size(), 1);
  for (size_t i = variables_.size(); i-- > 1;)
    weights_[i - 1] = weights_[i] * static_cast<GlobalId>(domains_[i].size());
}

std::optional<GlobalId> SharedSpace::stored(GlobalId id, int variable, int value) const {
  const auto at = static_cast<size_t>(variable);
  if (variables_[at].type == ContractType::Bool)
    value = value != 0 ? 1 : 0;
  const std::vector<int> &domain = domains_[at];
  const auto place = std::find(domain.begin(), domain.end(), value);
  if (place == domain.end())
    return std::nullopt;
  const auto before = std::find(domain.begin(), domain.end(), states_[id][at]);
  const auto moved = static_cast<int64_t>(place - before) * weights_[at];
  return static_cast<GlobalId>(static_cast<int64_t>(id) + moved);
}

std::vector<int> SharedSpace::readable(GlobalId id, int variable) const {
  const SharedVariable &declared = variables_[static_cast<size_t>(variable)];
  const int now = value(id, variable);
  if (declared.type == ContractType::Bool && declared.cType != CType::Bool && now != 0)
    return {1, 9};
  return {now};
}

std::string SharedSpace::text(GlobalId id) const {
  std::string text;
  for (size_t i = 0; i < variables_.size(); ++i)
    text += (i ? ", " : "") + variables_[i].name + " = " + std::to_string(states_[id][i]);
  return "(" + text + ")";
}

} // namespace understudy::tests
