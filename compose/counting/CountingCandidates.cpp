// SPDX-License-Identifier: Apache-2.0
//
// The problem: much of what Spacer has to find are small clauses, "nobody is here while that flag
// is set", "no two threads are at these places", and it finds them one after the other, each
// against all others. The idea: write down all such clauses, at each control, and let Houdini
// strike out what is wrong. What is left is inductive together with the facts given.
#include "compose/counting/CountingParts.h"

#include "compose/Houdini.h"
#include "logic/Error.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <map>

namespace understudy::compose::counting {

namespace {

/// A literal, or two of which one holds.
struct Candidate : Houdini::Candidate { // of two literals the parts: each alone
  std::vector<Variable> variables{};
};

class CandidateList {
public:
  explicit CandidateList(const CountingModel &model) : model_(model), pool_(model.pool()) {}

  std::vector<Candidate> make() {
    constexpr size_t most = 5000;
    collectLiterals();
    for (const auto *literals : {&empty_, &atMostOne_, &truth_, &numbers_})
      for (const Term &literal : *literals)
        add({literal});
    addPairs(empty_, empty_);
    addPairs(empty_, truth_);
    addPairs(truth_, truth_);
    addPairs(empty_, numbers_);
    addPairs(truth_, numbers_);
    addPairs(numbers_, numbers_);
    if (result_.size() > most)
      result_.resize(most);
    return std::move(result_);
  }

private:
  const CountingModel &model_;
  logic::TermPool &pool_;
  std::vector<Term> empty_, atMostOne_, truth_, numbers_;
  std::vector<Candidate> result_;
  std::map<Term, uint32_t> alone_; ///< the candidate that is just this literal

  void collectLiterals() {
    for (const proof::Crowd &crowd : model_.crowds) {
      empty_.push_back(pool_.lessEqual(pool_.var(crowd.count), pool_.integer(0)));
      atMostOne_.push_back(pool_.lessEqual(pool_.var(crowd.count), pool_.integer(1)));
    }
    for (size_t i = 0; i < model_.firstCount(); ++i) {
      Term variable = pool_.var(model_.variables[i]);
      if (variable.sort().isBool()) {
        truth_.push_back(variable);
        truth_.push_back(pool_.negate(variable));
      } else if (variable.sort().isInteger()) {
        for (int64_t bound : {0, 1, 2, 3}) {
          numbers_.push_back(pool_.lessEqual(pool_.integer(bound), variable));
          numbers_.push_back(pool_.lessEqual(variable, pool_.integer(bound)));
        }
      }
    }
  }

  void add(const std::vector<Term> &literals) {
    Candidate candidate{{pool_.disjunction(literals)}};
    if (literals.size() == 1)
      alone_.emplace(literals.front(), static_cast<uint32_t>(result_.size()));
    else
      for (const Term &literal : literals)
        candidate.parts.push_back(alone_.at(literal));
    for (const auto &use : logic::variablesOf(candidate.formula))
      candidate.variables.push_back(use.variable);
    result_.push_back(std::move(candidate));
  }

  void addPairs(const std::vector<Term> &first, const std::vector<Term> &second) {
    for (const Term &a : first)
      for (const Term &b : second)
        if (&first != &second || a < b)
          add({a, b});
  }
};

class Striking {
public:
  Striking(const CountingModel &model, const ControlFacts &facts, Budget &budget)
      : model_(model), pool_(model.pool()), facts_(facts), solver_(pool_, budget.limits()),
        candidates_(CandidateList(model).make()),
        // Only what some start or step reaches has to be struck out; the rest is unreachable.
        houdini_(plain(candidates_),
                 std::vector(model.controls.size(), Houdini::Marks(candidates_.size(), true)),
                 Houdini::Undecided::GiveUp, budget),
        effects_(model.steps.size()) {}

  std::optional<ControlFacts> run() {
    for (const CountingStart &start : model_.starts)
      strike(start.condition, start.control, houdini_.numbers(start.control),
             [&](uint32_t i) { return pool_.negate(candidates_[i].formula); });
    if (!houdini_.run([&](ControlId control) { strikeFrom(control); }))
      return std::nullopt;
    ControlFacts result;
    for (ControlId control = 0; control < model_.controls.size(); ++control)
      result.push_back(houdini_.left(control));
    return result;
  }

private:
  /// What a step does to the candidates.
  struct Effect {
    std::map<Variable, Term> changed;
    std::map<uint32_t, Term> violations; ///< those asked for: the candidate is false afterwards
  };

  const CountingModel &model_;
  logic::TermPool &pool_;
  const ControlFacts &facts_;
  logic::solver::Solver solver_;
  std::vector<Candidate> candidates_;
  Houdini houdini_;
  std::vector<Effect> effects_; ///< by step

  static std::vector<Houdini::Candidate> plain(const std::vector<Candidate> &candidates) {
    return {candidates.begin(), candidates.end()};
  }

  void strikeFrom(ControlId control) {
    solver_.push();
    for (const Term &fact : facts_[control])
      solver_.add(fact);
    for (const Term &formula : houdini_.left(control))
      solver_.add(formula);
    const Houdini::Marks assumed = houdini_.alive(control);
    for (size_t index = 0; index < model_.steps.size() && !houdini_.gaveUp(); ++index)
      if (model_.steps[index].source == control)
        strikeAfter(index, assumed);
    solver_.pop();
  }

  void strikeAfter(size_t index, const Houdini::Marks &assumed) {
    const CountingStep &step = model_.steps[index];
    Effect &effect = effects_[index];
    if (effect.changed.empty())
      for (size_t i = 0; i < step.after.size(); ++i)
        if (step.after[i] != pool_.var(model_.variables[i]))
          effect.changed[model_.variables[i]] = step.after[i];
    Houdini::Numbers doubtful = houdini_.numbers(step.target);
    std::erase_if(doubtful, [&](uint32_t i) {
      return assumed[i] && !isChanged(candidates_[i], effect.changed);
    });
    strike(step.guard, step.target, std::move(doubtful),
           [&](uint32_t i) { return violation(effect, i); });
  }

  static bool isChanged(const Candidate &candidate, const std::map<Variable, Term> &changed) {
    return std::any_of(candidate.variables.begin(), candidate.variables.end(),
                       [&](Variable v) { return changed.contains(v); });
  }

  Term violation(Effect &effect, uint32_t candidate) {
    auto [entry, isNew] = effect.violations.try_emplace(candidate);
    if (isNew)
      entry->second =
          pool_.negate(logic::substitute(candidates_[candidate].formula, [&](Variable v, bool) {
            auto found = effect.changed.find(v);
            return found == effect.changed.end() ? Term() : found->second;
          }));
    return entry->second;
  }

  void strike(const std::vector<Term> &formulas, ControlId control, Houdini::Numbers doubtful,
              const std::function<Term(uint32_t)> &violationOf) {
    solver_.push();
    for (const Term &formula : formulas)
      solver_.add(formula);
    houdini_.strike(solver_, control, std::move(doubtful), violationOf);
    solver_.pop();
  }
};

} // namespace

std::optional<ControlFacts> candidateFacts(const CountingModel &model, const ControlFacts &facts,
                                           Budget &budget) {
  try {
    budget.report("small clauses");
    return Striking(model, facts, budget).run();
  } catch (const logic::Overflow &) {
    return std::nullopt;
  }
}

} // namespace understudy::compose::counting
