// SPDX-License-Identifier: Apache-2.0
//
// The problem: much of what Spacer has to find are small clauses, "nobody is here while that flag
// is set", "no two threads are at these places", and it finds them one after the other, each
// against all others. The idea: write down all such clauses, and strike out what a start or a step
// violates while the others are assumed, until nothing changes. What is left is inductive together
// with the facts given. (Flanagan and Leino, Houdini, an Annotation Assistant for ESC/Java, 2001.)
//
// Deviation: a clause for each control. A clause with a part that holds alone is left out.
#include "compose/counting/CountingParts.h"

#include "logic/Error.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <set>

namespace understudy::compose {

namespace {

using logic::Satisfiability;

/// A literal, or two of which one holds.
struct Candidate {
  std::vector<Term> literals;
  Term formula;
  std::vector<Variable> variables;
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

  void collectLiterals() {
    for (const Crowd &crowd : model_.crowds) {
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

  void add(std::vector<Term> literals) {
    Term formula = pool_.disjunction(literals);
    Candidate candidate{std::move(literals), formula, {}};
    for (const auto &use : logic::variablesOf(formula))
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

class Houdini {
public:
  Houdini(const CountingModel &model, const ControlFacts &facts, Budget &budget)
      : model_(model), pool_(model.pool()), facts_(facts), budget_(budget),
        solver_(pool_, budget.limits()), candidates_(CandidateList(model).make()),
        alive_(model.controls.size()) {
    // Only what some start or step reaches has to be struck out; the rest is unreachable.
    for (auto &all : alive_)
      for (uint32_t i = 0; i < candidates_.size(); ++i)
        all.insert(i);
    open_.insert(open_.end(), model.controls.size(), true);
  }

  std::optional<ControlFacts> run() {
    for (const CountingStart &start : model_.starts)
      strike(start.condition, start.control, alive_[start.control], {});
    while (!gaveUp_ && std::find(open_.begin(), open_.end(), true) != open_.end())
      for (ControlId control = 0; control < model_.controls.size(); ++control)
        if (open_[control])
          strikeFrom(control);
    if (gaveUp_)
      return std::nullopt;
    ControlFacts result;
    for (ControlId control = 0; control < model_.controls.size(); ++control)
      result.push_back(left(control));
    return result;
  }

private:
  using Numbers = std::set<uint32_t>;

  const CountingModel &model_;
  logic::TermPool &pool_;
  const ControlFacts &facts_;
  Budget &budget_;
  logic::Solver solver_;
  std::vector<Candidate> candidates_;
  std::vector<Numbers> alive_; ///< by control
  std::vector<bool> open_;     ///< by control: its steps have to be looked at again
  bool gaveUp_ = false;

  void strikeFrom(ControlId control) {
    open_[control] = false;
    solver_.push();
    for (const Term &fact : facts_[control])
      solver_.add(fact);
    for (const Term &formula : left(control))
      solver_.add(formula);
    const Numbers assumed = alive_[control];
    for (const CountingStep &step : model_.steps) {
      if (step.source != control || gaveUp_)
        continue;
      std::map<Variable, Term> changed;
      for (size_t i = 0; i < step.after.size(); ++i)
        if (step.after[i] != pool_.var(model_.variables[i]))
          changed[model_.variables[i]] = step.after[i];
      Numbers doubtful;
      for (uint32_t i : alive_[step.target])
        if (!assumed.contains(i) || isChanged(candidates_[i], changed))
          doubtful.insert(i);
      strike(step.guard, step.target, doubtful, changed);
    }
    solver_.pop();
  }

  static bool isChanged(const Candidate &candidate, const std::map<Variable, Term> &changed) {
    return std::any_of(candidate.variables.begin(), candidate.variables.end(),
                       [&](Variable v) { return changed.contains(v); });
  }

  /// Strikes out what can be false at `control` after the change while the formulas hold.
  void strike(const std::vector<Term> &formulas, ControlId control, Numbers doubtful,
              const std::map<Variable, Term> &changed) {
    auto after = [&](Variable v, bool) {
      auto found = changed.find(v);
      return found == changed.end() ? Term() : found->second;
    };
    std::map<uint32_t, Term> images;
    for (uint32_t i : doubtful)
      images[i] = logic::substitute(candidates_[i].formula, after);
    solver_.push();
    for (const Term &formula : formulas)
      solver_.add(formula);
    while (!images.empty() && !gaveUp_) {
      solver_.push();
      std::vector<Term> broken;
      for (const auto &[i, image] : images)
        broken.push_back(pool_.negate(image));
      solver_.add(pool_.disjunction(std::move(broken)));
      Satisfiability answer = budget_.check(solver_);
      size_t before = images.size();
      if (answer == Satisfiability::Sat)
        drop(solver_.model(), control, images);
      gaveUp_ = answer == Satisfiability::Unknown ||
                (answer == Satisfiability::Sat && images.size() == before);
      solver_.pop();
      if (answer != Satisfiability::Sat)
        break;
    }
    solver_.pop();
  }

  void drop(const logic::Model &model, ControlId control, std::map<uint32_t, Term> &images) {
    auto value = [&](Variable v, bool primed) {
      return model.valueOf(v, primed).value_or(logic::defaultValue(v.sort()));
    };
    std::erase_if(images, [&](const auto &entry) {
      if (logic::holds(entry.second, value))
        return false;
      alive_[control].erase(entry.first);
      open_[control] = true;
      return true;
    });
  }

  /// What is left, without clauses of which a part is left alone.
  std::vector<Term> left(ControlId control) const {
    std::set<Term> units;
    std::vector<Term> result;
    for (uint32_t i : alive_[control])
      if (candidates_[i].literals.size() == 1)
        units.insert(candidates_[i].literals.front());
    for (uint32_t i : alive_[control]) {
      const auto &literals = candidates_[i].literals;
      bool implied =
          literals.size() > 1 && std::any_of(literals.begin(), literals.end(),
                                             [&](const Term &l) { return units.contains(l); });
      if (!implied)
        result.push_back(candidates_[i].formula);
    }
    return result;
  }
};

} // namespace

std::optional<ControlFacts> candidateFacts(const CountingModel &model, const ControlFacts &facts,
                                           Budget &budget) {
  try {
    budget.report("small clauses");
    return Houdini(model, facts, budget).run();
  } catch (const logic::Overflow &) {
    return std::nullopt;
  }
}

} // namespace understudy::compose
