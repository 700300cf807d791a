// SPDX-License-Identifier: Apache-2.0
#include "compose/refine/FloydHoare.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::compose::refine {

FloydHoare::FloydHoare(const petri::PetriProgram &petri,
                       const std::vector<petri::TransitionId> &origin, std::vector<Term> predicates,
                       HoareTriples &triples)
    : petri_(petri), origin_(origin), predicates_(std::move(predicates)), triples_(triples),
      ignored_(origin.size()) {
  const auto start = triples_.post({}, {petri.initial, {}}, predicates_);
  if (!start)
    throw std::logic_error("a program without a start needs no automaton");
  idOf(*start);
}

FloydHoare::State FloydHoare::idOf(const std::vector<bool> &holds) {
  Set set;
  for (uint32_t i = 0; i < holds.size(); ++i)
    if (holds[i])
      set.push_back(i);
  auto [entry, isNew] = ids_.try_emplace(set, static_cast<State>(sets_.size()));
  if (isNew)
    sets_.push_back(std::move(set));
  return entry->second;
}

std::vector<Term> FloydHoare::formula(State state) const {
  std::vector<Term> result;
  for (uint32_t index : sets_.at(state))
    result.push_back(predicates_[index]);
  return result;
}

bool FloydHoare::ignores(petri::TransitionId transition) {
  auto &answer = ignored_[transition];
  if (answer)
    return *answer;
  const petri::Label &label = petri_.transitions[origin_[transition]].label;
  std::vector<Variable> used = label.modified;
  for (const Term &conjunct : label.conjuncts)
    for (Variable v : variablesIn(conjunct))
      used.push_back(v);
  answer = std::none_of(predicates_.begin(), predicates_.end(), [&](Term predicate) {
    const auto variables = variablesIn(predicate);
    return std::any_of(variables.begin(), variables.end(), [&](Variable v) {
      return std::find(used.begin(), used.end(), v) != used.end();
    });
  });
  // A label that contradicts itself leads into the sink from everywhere.
  answer = *answer && triples_.post({}, label, {}).has_value();
  return *answer;
}

std::optional<FloydHoare::State> FloydHoare::next(State state, petri::TransitionId transition) {
  if (ignores(transition))
    return state;
  auto known = known_.find({state, transition});
  if (known != known_.end())
    return known->second;
  const auto holds =
      triples_.post(formula(state), petri_.transitions[origin_[transition]].label, predicates_);
  const std::optional<State> after = holds ? std::optional(idOf(*holds)) : std::nullopt;
  known_.emplace(std::pair(state, transition), after);
  return after;
}

bool FloydHoare::rejects(const petri::Run &run) {
  State state = initial();
  for (petri::TransitionId transition : run) {
    const auto after = next(state, transition);
    if (!after)
      return true;
    state = *after;
  }
  return false;
}

DomainComponent FloydHoare::domain() const {
  DomainComponent result;
  for (State state = 0; state < sets_.size(); ++state)
    result.laws.push_back(formula(state));
  for (const auto &[question, after] : known_)
    result.post[{question.first, origin_[question.second]}] = after;
  return result;
}

} // namespace understudy::compose::refine
