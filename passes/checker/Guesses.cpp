// SPDX-License-Identifier: Apache-2.0
//
// Does a violation depend on a value that is not modelled?
//
// The problem: such a value is an input like any other to the engine, but the code may never read
// what the engine chose. The idea: walk along the trace and keep the variables that were computed
// from a guess. An edge is a conjunction of conditions and of equations that give variables their
// new values; an equation hands the guess on, a condition depends on it. Invariant: as long as no
// condition depends on a guess, the edges so far can be taken with any values in its place.
#include "passes/checker/Guesses.h"

#include <algorithm>
#include <map>

namespace understudy::passes::checker {

using logic::Op;
using logic::Term;
using logic::Variable;

namespace {

class Tracker {
public:
  explicit Tracker(const CheckerModel &model) : model_(model) {}

  std::optional<uint32_t> take(compose::EdgeId id) {
    const compose::Edge &edge = model_.encoded.thread.edges[id];
    after_.clear();
    inputs_.clear();
    for (const encode::Input &input : model_.encoded.inputs[id]) {
      inputs_.push_back(input.variable);
      if (input.guess)
        after_[input.variable] = *input.guess;
    }
    std::vector<Term> open = logic::conjunctsOf(edge.relation);
    while (handOn(open))
      ;
    for (const Term &condition : open)
      if (auto guess = guessIn(condition))
        return guess;
    for (Variable variable : edge.modified)
      before_.erase(variable);
    before_.insert(after_.begin(), after_.end());
    return std::nullopt;
  }

private:
  const CheckerModel &model_;
  std::map<Variable, uint32_t> before_; ///< what depends on a guess, and on which
  std::map<Variable, uint32_t> after_;
  std::vector<Variable> inputs_;

  std::optional<uint32_t> guessIn(const Term &term) const {
    for (const logic::VariableUse &use : logic::variablesOf(term)) {
      const auto &known = use.primed ? after_ : before_;
      if (auto found = known.find(use.variable); found != known.end())
        return found->second;
    }
    return std::nullopt;
  }

  /// The variable that the equation gives a value that depends on a guess.
  std::optional<Variable> givenBy(const Term &equation) const {
    if (equation.op() != Op::Equal)
      return std::nullopt;
    for (size_t side : {size_t{0}, size_t{1}}) {
      const Term &given = equation.operand(side);
      if (given.op() != Op::Variable || !given.primed() || after_.contains(given.variable()))
        continue;
      bool isInput = std::find(inputs_.begin(), inputs_.end(), given.variable()) != inputs_.end();
      if (!isInput && guessIn(equation.operand(1 - side)))
        return given.variable();
    }
    return std::nullopt;
  }

  /// Takes equations that hand a guess on out of the conditions; false: there is none.
  bool handOn(std::vector<Term> &open) {
    for (auto at = open.begin(); at != open.end(); ++at)
      if (auto variable = givenBy(*at)) {
        after_[*variable] = *guessIn(*at);
        open.erase(at);
        return true;
      }
    return false;
  }
};

} // namespace

std::optional<uint32_t> guessBehind(const CheckerModel &model, const compose::Trace &trace) {
  Tracker tracker(model);
  for (const compose::Step &step : trace.steps)
    if (auto guess = tracker.take(step.edge))
      return guess;
  return std::nullopt;
}

} // namespace understudy::passes::checker
