// SPDX-License-Identifier: Apache-2.0
//
// Does a failure depend on a value that is not modelled?
//
// The problem: such a value is an input like any other to the engine, but the code may never read
// what the engine chose. The idea: walk along the trace and keep the variables that were computed
// from a guess. An edge is a conjunction of conditions and of equations that give variables their
// new values; an equation hands the guess on, a condition depends on it, and so does a claim that
// is false at the end. Invariant: as long as no condition depends on a guess, the edges so far can
// be taken with any values in its place.
#include "passes/checker/Guesses.h"

#include <algorithm>

namespace understudy::passes::checker {

using logic::Op;
using logic::Term;
using logic::Variable;

namespace {

class Tracker {
public:
  Tracker(const compose::Program &program, const CodeTemplates &code)
      : program_(program), code_(code) {}

  std::optional<Guess> take(const compose::Step &step) {
    const compose::Edge &edge = program_.edge(step.templateId, step.edge);
    thread_ = step.thread;
    after_.clear();
    inputs_.clear();
    addInputs(step);
    std::vector<Term> open = logic::conjunctsOf(edge.relation);
    while (handOn(open))
      ;
    addTerms(edge.action, open);
    for (const Term &condition : open)
      if (auto guess = guessIn(condition))
        return guess;
    for (Variable variable : edge.modified)
      before_.erase(key(variable));
    before_.insert(after_.begin(), after_.end());
    return std::nullopt;
  }

  /// Of what is claimed of every state, or relied on by the thread.
  std::optional<Guess> inClaims(const compose::Trace &trace) {
    if (trace.failure.kind != compose::FailureKind::Invariant &&
        trace.failure.kind != compose::FailureKind::Rely)
      return std::nullopt;
    auto found = std::find_if(before_.begin(), before_.end(),
                              [](const auto &entry) { return entry.first.first == shared; });
    return found == before_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  using Key = std::pair<uint32_t, Variable>; ///< the thread of a local, or `shared`
  static constexpr uint32_t shared = UINT32_MAX;

  const compose::Program &program_;
  const CodeTemplates &code_;
  uint32_t thread_ = 0;
  std::map<Key, Guess> before_; ///< what depends on a guess, and on which
  std::map<Key, Guess> after_;
  std::vector<Variable> inputs_;

  Key key(Variable variable) const {
    const auto &globals = program_.globals;
    bool global = std::find(globals.begin(), globals.end(), variable) != globals.end();
    return {global ? shared : thread_, variable};
  }

  void addInputs(const compose::Step &step) {
    auto found = code_.find(step.templateId);
    if (found == code_.end() || step.edge >= found->second->inputs.size())
      return;
    for (const encode::Input &input : found->second->inputs[step.edge]) {
      inputs_.push_back(input.variable);
      if (input.guess)
        after_[key(input.variable)] = {step.templateId, *input.guess};
    }
  }

  static void addTerms(const compose::Action &action, std::vector<Term> &terms) {
    if (const auto *fork = std::get_if<compose::Fork>(&action)) {
      terms.insert(terms.end(), fork->arguments.begin(), fork->arguments.end());
      if (fork->id)
        terms.push_back(*fork->id);
    }
    if (const auto *join = std::get_if<compose::Join>(&action); join != nullptr && join->id)
      terms.push_back(*join->id);
  }

  std::optional<Guess> guessIn(const Term &term) const {
    for (const logic::VariableUse &use : logic::variablesOf(term)) {
      const auto &known = use.primed ? after_ : before_;
      if (auto found = known.find(key(use.variable)); found != known.end())
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
      if (given.op() != Op::Variable || !given.primed() || after_.contains(key(given.variable())))
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
        after_[key(*variable)] = *guessIn(*at);
        open.erase(at);
        return true;
      }
    return false;
  }
};

} // namespace

std::optional<Guess> guessBehind(const compose::Program &program, const CodeTemplates &code,
                                 const compose::Trace &trace) {
  Tracker tracker(program, code);
  for (const compose::Step &step : trace.steps)
    if (auto guess = tracker.take(step))
      return guess;
  return tracker.inClaims(trace);
}

} // namespace understudy::passes::checker
