// SPDX-License-Identifier: Apache-2.0
//
// The problem: much of what Spacer has to find are small clauses, "nobody is here while that flag
// is set", "no two threads are at these places", and it finds them one after the other, each
// against all others. The idea: write down all such clauses, and strike out what a start or a step
// violates while the others are assumed, until nothing changes. What is left is inductive together
// with the facts given. (Flanagan and Leino, Houdini, an Annotation Assistant for ESC/Java, 2001.)
//
// Deviation: a clause for each control. A clause with a part that is left alone is neither assumed
// nor checked: it holds as long as the part does, and is looked at when the part is struck out.
#include "compose/counting/CountingParts.h"

#include "logic/Error.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <map>

namespace understudy::compose::counting {

namespace {

using logic::solver::Satisfiability;

/// A literal, or two of which one holds.
struct Candidate {
  Term formula;
  std::vector<uint32_t> parts; ///< of two literals: each alone, as a candidate
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
    Candidate candidate{pool_.disjunction(literals), {}, {}};
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

class Houdini {
public:
  Houdini(const CountingModel &model, const ControlFacts &facts, Budget &budget)
      : model_(model), pool_(model.pool()), facts_(facts), budget_(budget),
        solver_(pool_, budget.limits()), candidates_(CandidateList(model).make()),
        // Only what some start or step reaches has to be struck out; the rest is unreachable.
        alive_(model.controls.size(), Marks(candidates_.size(), true)),
        open_(model.controls.size(), true), effects_(model.steps.size()) {}

  std::optional<ControlFacts> run() {
    for (const CountingStart &start : model_.starts)
      strike(start.condition, start.control, numbers(alive_[start.control]),
             [&](uint32_t i) { return pool_.negate(candidates_[i].formula); });
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
  using Marks = std::vector<bool>;
  using Numbers = std::vector<uint32_t>;

  /// What a step does to the candidates.
  struct Effect {
    std::map<Variable, Term> changed;
    std::map<uint32_t, Term> violations; ///< those asked for: the candidate is false afterwards
  };

  const CountingModel &model_;
  logic::TermPool &pool_;
  const ControlFacts &facts_;
  Budget &budget_;
  logic::solver::Solver solver_;
  std::vector<Candidate> candidates_;
  std::vector<Marks> alive_;    ///< by control
  Marks open_;                  ///< by control: its steps have to be looked at again
  std::vector<Effect> effects_; ///< by step
  bool gaveUp_ = false;

  static Numbers numbers(const Marks &marks) {
    Numbers result;
    for (uint32_t i = 0; i < marks.size(); ++i)
      if (marks[i])
        result.push_back(i);
    return result;
  }

  void strikeFrom(ControlId control) {
    open_[control] = false;
    solver_.push();
    for (const Term &fact : facts_[control])
      solver_.add(fact);
    for (const Term &formula : left(control))
      solver_.add(formula);
    const Marks assumed = alive_[control];
    for (size_t index = 0; index < model_.steps.size() && !gaveUp_; ++index)
      if (model_.steps[index].source == control)
        strikeAfter(index, assumed);
    solver_.pop();
  }

  void strikeAfter(size_t index, const Marks &assumed) {
    const CountingStep &step = model_.steps[index];
    Effect &effect = effects_[index];
    if (effect.changed.empty())
      for (size_t i = 0; i < step.after.size(); ++i)
        if (step.after[i] != pool_.var(model_.variables[i]))
          effect.changed[model_.variables[i]] = step.after[i];
    Numbers doubtful;
    for (uint32_t i : numbers(alive_[step.target]))
      if (!assumed[i] || isChanged(candidates_[i], effect.changed))
        doubtful.push_back(i);
    strike(step.guard, step.target, doubtful, [&](uint32_t i) { return violation(effect, i); });
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

  bool isImplied(uint32_t candidate, ControlId control) const {
    const auto &parts = candidates_[candidate].parts;
    return std::any_of(parts.begin(), parts.end(),
                       [&](uint32_t part) { return alive_[control][part]; });
  }

  /// Strikes out which of the doubtful can be violated at `control` while the formulas hold.
  template <typename Violation>
  void strike(const std::vector<Term> &formulas, ControlId control, Numbers doubtful,
              Violation violationOf) {
    std::map<uint32_t, Term> violations;
    // Those that no part implies (any more).
    auto takeUp = [&] {
      std::erase_if(doubtful, [&](uint32_t i) {
        if (isImplied(i, control))
          return false;
        violations.emplace(i, violationOf(i));
        return true;
      });
    };
    takeUp();
    solver_.push();
    for (const Term &formula : formulas)
      solver_.add(formula);
    while (!violations.empty() && !gaveUp_) {
      solver_.push();
      std::vector<Term> broken;
      for (const auto &[i, formula] : violations)
        broken.push_back(formula);
      solver_.add(pool_.disjunction(std::move(broken)));
      const Satisfiability answer = budget_.check(solver_);
      bool isLess = false;
      if (answer == Satisfiability::Sat) {
        const logic::solver::Model model = solver_.model();
        while (drop(model, control, violations)) {
          isLess = true;
          takeUp();
        }
      }
      gaveUp_ = answer == Satisfiability::Unknown || (answer == Satisfiability::Sat && !isLess);
      solver_.pop();
      if (answer != Satisfiability::Sat)
        break;
    }
    solver_.pop();
  }

  /// Strikes out what the model violates. False: there is none.
  bool drop(const logic::solver::Model &model, ControlId control,
            std::map<uint32_t, Term> &violations) {
    auto value = [&](Variable v, bool primed) {
      return model.valueOf(v, primed).value_or(logic::defaultValue(v.sort()));
    };
    return std::erase_if(violations, [&](const auto &entry) {
             if (!logic::holds(entry.second, value))
               return false;
             alive_[control][entry.first] = false;
             open_[control] = true;
             return true;
           }) != 0;
  }

  /// What is left, without clauses of which a part is left alone.
  std::vector<Term> left(ControlId control) const {
    std::vector<Term> result;
    for (uint32_t i : numbers(alive_[control]))
      if (!isImplied(i, control))
        result.push_back(candidates_[i].formula);
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

} // namespace understudy::compose::counting
