// SPDX-License-Identifier: Apache-2.0
#include "ContractMachine.h"

#include <algorithm>

namespace understudy::tests {

ContractMachine::ContractMachine(const SharedSpace &space, const FiniteSystem &system,
                                 const ThreadContract &contract)
    : space_(space), system_(system), contract_(contract), locals_{{}} {
  for (const ContractLocal &local : contract.locals) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int> &values : locals_)
      for (int value : valuesOf(local.type, local.lower, local.upper)) {
        longer.push_back(values);
        longer.back().push_back(value);
      }
    locals_ = std::move(longer);
  }
  const auto starts = [&](const std::vector<int> &values) {
    for (size_t i = 0; i < values.size(); ++i)
      if (contract.locals[i].start.value_or(values[i]) != values[i])
        return false;
    return true;
  };
  for (size_t state = 0; state < contract.states.size(); ++state)
    for (size_t i = 0; i < locals_.size(); ++i)
      if (contract.states[state].initial && starts(locals_[i]))
        initial_.push_back(static_cast<Configuration>(state * locals_.size() + i));
}

const ContractState &ContractMachine::stateOf(Configuration at) const {
  return contract_.states[at / locals_.size()];
}

/// What is not primed in the label and not set free by it keeps its value.
bool ContractMachine::allows(const ContractEdge &edge, Configuration from, GlobalId g,
                             Configuration to, GlobalId after) const {
  const Formula label = edge.formula.value_or(truth(true));
  const Primed primed = primedIn(label);
  const std::vector<int> &before = space_.values(g);
  const std::vector<int> &then = space_.values(after);
  for (size_t i = 0; i < before.size(); ++i) {
    const auto variable = static_cast<int>(i);
    const bool free = std::find(edge.havoc.begin(), edge.havoc.end(), variable) != edge.havoc.end();
    if (edge.action && edge.action->lock == variable) {
      const bool locks = edge.action->kind == LockAction::Kind::Lock;
      if ((locks && before[i] != 0) || then[i] != (locks ? 1 : 0))
        return false;
      continue;
    }
    if (!free && !primed.shared.contains(variable) && before[i] != then[i])
      return false;
  }
  for (size_t i = 0; i < localsOf(from).size(); ++i)
    if (!primed.locals.contains(static_cast<int>(i)) && localsOf(from)[i] != localsOf(to)[i])
      return false;
  return evaluate(label, {before, then, localsOf(from), localsOf(to)}) != 0;
}

const std::vector<Configuration> &ContractMachine::moves(Configuration from, GlobalId g,
                                                         GlobalId after,
                                                         const std::optional<LockAction> &action) {
  const auto [found, isNew] = moves_.try_emplace({from, g, after, action});
  if (!isNew)
    return found->second;
  std::set<Configuration> targets;
  if (g == after && !action)
    targets.insert(from);
  for (const ContractEdge &edge : stateOf(from).edges)
    for (size_t i = 0; i < locals_.size(); ++i) {
      const auto to = static_cast<Configuration>(edge.target * locals_.size() + i);
      if (edge.action == action && allows(edge, from, g, to, after))
        targets.insert(to);
    }
  found->second.assign(targets.begin(), targets.end());
  return found->second;
}

bool ContractMachine::fails(Configuration at, GlobalId g) const {
  const std::vector<int> &values = space_.values(g);
  const ContractState &state = stateOf(at);
  const auto isFalse = [&](const std::optional<Formula> &claim) {
    return claim && evaluate(*claim, {values, values, localsOf(at), localsOf(at)}) == 0;
  };
  const bool finished = state.final && state.edges.empty();
  return isFalse(state.assertion) || (!finished && isFalse(contract_.assertion)) ||
         isFalse(system_.invariant);
}

bool ContractMachine::relies(Configuration at, GlobalId h, GlobalId g) const {
  if (h == g)
    return true;
  const auto allowed = [&](const std::optional<Formula> &rely) {
    return !rely || evaluate(*rely, {space_.values(h), space_.values(g), {}, {}}) != 0;
  };
  return allowed(contract_.rely) && allowed(stateOf(at).rely);
}

std::string ContractMachine::text(Configuration at) const {
  std::string text = stateOf(at).name;
  for (size_t i = 0; i < contract_.locals.size(); ++i)
    text += (i ? ", " : "(") + contract_.locals[i].name + " = " + std::to_string(localsOf(at)[i]);
  return contract_.locals.empty() ? text : text + ")";
}

} // namespace understudy::tests
