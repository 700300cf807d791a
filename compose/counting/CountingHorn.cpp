// SPDX-License-Identifier: Apache-2.0
//
// One predicate for each control over all variables, one clause for each start, step and error, and
// Spacer, which finds predicates that exclude the errors or a derivation of one. Neither is
// trusted: predicates are checked by `recheckCounting`, a derivation by replaying it.
#include "compose/counting/CountingParts.h"

namespace understudy::compose::counting {

namespace {

using logic::solver::HornAtom;
using logic::solver::PredicateId;
using logic::solver::Satisfiability;

class HornRun {
public:
  HornRun(const CountingModel &model, const ControlFacts &facts, Budget &budget)
      : model_(model), facts_(facts), budget_(budget), horn_(model.pool(), budget.limits()) {}

  CountingAnswer run() {
    for (size_t i = 0; i < model_.controls.size(); ++i)
      predicates_.push_back(horn_.declare(model_.variables));
    error_ = horn_.declare({});
    addClauses();
    budget_.report("Horn clauses");
    budget_.countQuery();
    switch (horn_.query(error_)) {
    case Satisfiability::Unsat:
      return invariants();
    case Satisfiability::Sat:
      return path();
    case Satisfiability::Unknown:
      break;
    }
    return CountingUndecided{horn_.reasonUnknown()};
  }

private:
  const CountingModel &model_;
  const ControlFacts &facts_;
  Budget &budget_;
  logic::solver::HornSolver horn_;
  std::vector<PredicateId> predicates_;
  PredicateId error_ = 0;

  HornAtom here(ControlId control) const {
    HornAtom atom{predicates_[control], {}};
    for (Variable v : model_.variables)
      atom.arguments.push_back(model_.pool().var(v));
    return atom;
  }

  std::vector<Term> body(ControlId control, const std::vector<Term> &guard) const {
    std::vector<Term> result = guard;
    result.insert(result.end(), facts_[control].begin(), facts_[control].end());
    return result;
  }

  void addClauses() {
    for (const CountingStart &start : model_.starts)
      horn_.add(std::nullopt, body(start.control, start.condition), here(start.control));
    for (const CountingStep &step : model_.steps)
      horn_.add(here(step.source), body(step.source, step.guard),
                {predicates_[step.target], step.after});
    for (const CountingError &error : model_.errors)
      horn_.add(here(error.source), body(error.source, error.guard), {error_, {}});
  }

  CountingAnswer invariants() const {
    std::vector<Term> result;
    for (ControlId control = 0; control < model_.controls.size(); ++control) {
      auto solution = horn_.solution(predicates_[control]);
      if (!solution)
        return CountingUndecided{"Spacer's invariant has a form that cannot be read"};
      result.push_back(model_.pool().conjunction(body(control, {*solution})));
    }
    return result;
  }

  CountingPath path() const {
    CountingPath result;
    auto facts = horn_.derivation();
    if (!facts)
      return result;
    for (const logic::solver::HornFact &fact : *facts)
      if (fact.predicate != error_)
        result.states.push_back({fact.predicate, fact.arguments});
    return result;
  }
};

} // namespace

CountingAnswer solveCounting(const CountingModel &model, const ControlFacts &facts,
                             Budget &budget) {
  return HornRun(model, facts, budget).run();
}

} // namespace understudy::compose::counting
