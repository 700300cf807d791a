// SPDX-License-Identifier: Apache-2.0
#include "compose/counting/CountingParts.h"

#include "logic/Substitute.h"

#include <map>

namespace understudy::compose::counting {

namespace {

using logic::solver::Satisfiability;

class Recheck {
public:
  Recheck(const CountingModel &model, const std::vector<Term> &invariants, Budget &budget)
      : model_(model), invariants_(invariants), budget_(budget),
        solver_(model.pool(), budget.limits()) {}

  std::optional<std::string> run() {
    for (const CountingStart &start : model_.starts) {
      std::vector<Term> formulas = start.condition;
      formulas.push_back(model_.pool().negate(invariants_[start.control]));
      require(formulas);
    }
    for (ControlId control = 0; control < model_.controls.size() && !wrong_; ++control)
      if (!invariants_[control].isFalse())
        checkFrom(control);
    return wrong_;
  }

private:
  const CountingModel &model_;
  const std::vector<Term> &invariants_;
  Budget &budget_;
  logic::solver::Solver solver_;
  std::optional<std::string> wrong_;

  void checkFrom(ControlId control) {
    solver_.push();
    solver_.add(invariants_[control]);
    for (const CountingStep &step : model_.steps)
      if (step.source == control) {
        std::vector<Term> formulas = step.guard;
        formulas.push_back(model_.pool().negate(after(step)));
        require(formulas);
      }
    for (const CountingError &error : model_.errors)
      if (error.source == control)
        require(error.guard);
    solver_.pop();
  }

  /// The target's invariant after the step.
  Term after(const CountingStep &step) const {
    std::map<Variable, Term> terms;
    for (size_t i = 0; i < step.after.size(); ++i)
      terms[model_.variables[i]] = step.after[i];
    return logic::substitute(invariants_[step.target],
                             [&](Variable v, bool) { return terms.at(v); });
  }

  /// The formulas cannot hold together.
  void require(const std::vector<Term> &formulas) {
    if (wrong_)
      return;
    solver_.push();
    for (const Term &formula : formulas)
      solver_.add(formula);
    Satisfiability answer = budget_.check(solver_);
    if (answer == Satisfiability::Sat)
      wrong_ = "internal: an invariant failed its re-check";
    if (answer == Satisfiability::Unknown)
      wrong_ = "the re-check of an invariant gave up: " + solver_.reasonUnknown();
    solver_.pop();
  }
};

} // namespace

std::optional<std::string> recheckCounting(const CountingModel &model,
                                           const std::vector<Term> &invariants, Budget &budget) {
  return Recheck(model, invariants, budget).run();
}

} // namespace understudy::compose::counting
