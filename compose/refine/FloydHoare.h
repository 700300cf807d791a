// SPDX-License-Identifier: Apache-2.0
//
// A Floyd-Hoare automaton over the transitions of a Petri program. A state is a set of predicates
// that all hold; the sink is `false`. Deterministic, total, computed as it is asked:
//   next(s, t) = sink                     if {s} t {false},
//                { p | {s} t {p} }        otherwise.
// Hence every firing sequence that leads into the sink is infeasible.
#pragma once

#include "compose/petri/Net.h"
#include "compose/refine/HoareTriples.h"
#include "compose/refine/InvariantDomain.h"

#include <map>
#include <vector>

namespace understudy::compose::refine {

class FloydHoare : public petri::Observer {
public:
  /// `origin` maps the net's transitions to those of the Petri program. All arguments but the
  /// predicates must outlive the automaton.
  FloydHoare(const petri::PetriProgram &petri, const std::vector<petri::TransitionId> &origin,
             std::vector<Term> predicates, HoareTriples &triples);

  State initial() override { return 0; }
  std::optional<State> next(State state, petri::TransitionId transition) override;
  bool ignores(petri::TransitionId transition) override;

  const std::vector<Term> &predicates() const { return predicates_; }
  /// The conjuncts of a state that was returned before.
  std::vector<Term> formula(State state) const;
  size_t states() const { return sets_.size(); }
  /// Is the run led into the sink?
  bool rejects(const petri::Run &run);
  /// What was computed so far.
  DomainComponent domain() const;

private:
  using Set = std::vector<uint32_t>; ///< indices of predicates, sorted

  const petri::PetriProgram &petri_;
  const std::vector<petri::TransitionId> &origin_;
  std::vector<Term> predicates_;
  HoareTriples &triples_;
  std::vector<Set> sets_;
  std::map<Set, State> ids_;
  std::vector<std::optional<bool>> ignored_; ///< by transition
  std::map<std::pair<State, petri::TransitionId>, std::optional<State>> known_;

  State idOf(const std::vector<bool> &holds);
};

} // namespace understudy::compose::refine
