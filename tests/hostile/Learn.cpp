// SPDX-License-Identifier: Apache-2.0
#include "Learn.h"

#include <algorithm>

namespace understudy::tests::hostile {

Learner::Learner(const SharedSpace &space, Random &random)
    : space_(space), random_(random), clusters_(random.oneIn(3) ? 1 + random.below(4) : 20),
      claimsFailures_(!random.oneIn(3)) {
  stateFor("S");
  states_.front().initial = true;
}

size_t Learner::stateFor(const std::string &name) {
  const auto found = std::find_if(states_.begin(), states_.end(),
                                  [&](const ContractState &state) { return state.name == name; });
  if (found != states_.end())
    return static_cast<size_t>(found - states_.begin());
  ContractState state;
  state.name = name;
  if (random_.oneIn(4))
    state.rely = randomRely(random_, space_);
  states_.push_back(state);
  failing_.emplace_back();
  return states_.size() - 1;
}

bool Learner::possible(std::optional<GlobalId> left, GlobalId g) {
  const ContractState &state = states_[now_];
  return !failing_[now_].contains(g) &&
         (!left || left == g || !state.rely || holds(space_, *state.rely, *left, g));
}

std::optional<Breach> Learner::step(GlobalId g, GlobalId after, const void *site) {
  if (g == after)
    return std::nullopt;
  const size_t number = sites_.try_emplace(site, sites_.size()).first->second;
  const size_t target = stateFor("W" + std::to_string(number % clusters_));
  edges_[{now_, target}].seen.insert({g, after});
  now_ = target;
  return std::nullopt;
}

std::optional<Breach> Learner::marker(GlobalId /*g*/, const std::string &state) {
  const size_t target = stateFor(state);
  edges_[{now_, target}].always = true;
  now_ = target;
  return std::nullopt;
}

std::optional<Breach> Learner::returned(std::optional<GlobalId> /*left*/, GlobalId /*g*/) {
  states_[now_].final = true;
  return std::nullopt;
}

std::optional<Breach> Learner::fails(GlobalId g) {
  if (claimsFailures_)
    failing_[now_].insert(g);
  return std::nullopt;
}

Formula Learner::change(int variable, const std::set<std::pair<GlobalId, GlobalId>> &seen) const {
  const Named named = namedShared(space_.variables(), variable);
  std::set<int> values;
  std::set<int> differences;
  for (const auto &[g, after] : seen) {
    values.insert(space_.value(after, variable));
    differences.insert(space_.value(after, variable) - space_.value(g, variable));
  }
  if (named.type == ContractType::Range && differences.size() == 1)
    return combine(Formula::Op::Equal, named.after,
                   combine(Formula::Op::Add, named.before, number(*differences.begin())));
  return oneOf(named.after, named.type, named.domain, values);
}

ContractEdge Learner::formula(size_t target, const Edge &edge) const {
  ContractEdge result;
  result.target = target;
  if (edge.always)
    return result;
  std::vector<Formula> parts;
  for (size_t i = 0; i < space_.variables().size(); ++i) {
    const auto variable = static_cast<int>(i);
    if (std::all_of(edge.seen.begin(), edge.seen.end(), [&](const auto &pair) {
          return space_.value(pair.first, variable) == space_.value(pair.second, variable);
        }))
      continue;
    const Formula part = change(variable, edge.seen);
    if (part.op == Formula::Op::Truth)
      result.havoc.push_back(variable);
    else
      parts.push_back(part);
  }
  if (!parts.empty())
    result.formula = conjunction(parts);
  return result;
}

ThreadContract Learner::contract() const {
  ThreadContract contract;
  contract.name = "T";
  contract.states = states_;
  for (size_t i = 0; i < states_.size(); ++i)
    if (!failing_[i].empty())
      contract.states[i].assertion =
          exactly(space_, [&](GlobalId g) { return !failing_[i].contains(g); });
  for (const auto &[ends, edge] : edges_) {
    contract.states[ends.first].edges.push_back(formula(ends.second, edge));
    // A marker may be passed by a step as well.
    if (edge.always && !edge.seen.empty())
      contract.states[ends.first].edges.push_back(formula(ends.second, {edge.seen, false}));
  }
  return contract;
}

} // namespace understudy::tests::hostile
