// SPDX-License-Identifier: Apache-2.0
//
// Problem: invariants are collected in the hope that they help, by the hundred, and few do. Idea:
// backward from the errors, an unsat core of each obligation says which conjuncts it needs, and
// what is needed after a step says what is needed before it. The simple ones are asked first: one
// equation over counters says what many clauses say. Invariant: of what is done, every error and
// every broken conjunct is excluded by conjuncts that are needed.
#include "compose/counting/CountingParts.h"

#include "logic/Substitute.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace understudy::compose::counting {

namespace {

using logic::solver::Satisfiability;

/// How much a reader has to hold in mind: an equation, a bound, a case distinction.
size_t rankOf(const Term &part) {
  if (part.op() == logic::Op::Equal)
    return 0;
  return part.op() == logic::Op::Or ? part.operands().size() : 1;
}

class Needed {
public:
  Needed(const CountingModel &model, const std::vector<Term> &invariants, Budget &budget)
      : model_(model), budget_(budget), solver_(model.pool(), budget.limits()),
        needed_(invariants.size()) {
    for (const Term &invariant : invariants) {
      parts_.push_back(logic::conjunctsOf(invariant));
      std::sort(parts_.back().begin(), parts_.back().end(), [](const Term &a, const Term &b) {
        return std::pair(rankOf(a), a) < std::pair(rankOf(b), b);
      });
    }
  }

  std::optional<std::vector<Term>> run() {
    for (ControlId control = 0; control < parts_.size(); ++control)
      if (parts_[control].front().isFalse())
        add(control, parts_[control].front());
    for (const CountingError &error : model_.errors)
      if (!isExcluded(error.source, error.guard))
        return std::nullopt;
    while (!work_.empty()) {
      const auto [control, part] = work_.back();
      work_.pop_back();
      for (const CountingStep &step : model_.steps)
        if (step.target == control && !isKept(step, part))
          return std::nullopt;
    }
    std::vector<Term> result;
    for (const std::vector<Term> &needed : needed_)
      result.push_back(model_.pool().conjunction(needed));
    return result;
  }

private:
  const CountingModel &model_;
  Budget &budget_;
  logic::solver::Solver solver_;
  std::vector<std::vector<Term>> parts_;  ///< of each control, the simple ones first
  std::vector<std::vector<Term>> needed_; ///< of these
  std::vector<std::pair<ControlId, Term>> work_;

  void add(ControlId control, const Term &part) {
    needed_[control].push_back(part);
    work_.emplace_back(control, part);
  }

  bool isKept(const CountingStep &step, const Term &part) {
    std::map<Variable, Term> terms;
    for (size_t i = 0; i < step.after.size(); ++i)
      terms[model_.variables[i]] = step.after[i];
    const Term after = logic::substitute(part, [&](Variable v, bool) { return terms.at(v); });
    if (after == part && step.source == step.target)
      return true;
    std::vector<Term> formulas = step.guard;
    formulas.push_back(model_.pool().negate(after));
    return isExcluded(step.source, formulas);
  }

  /// Adds what is needed for it. False: the solver gave up.
  bool isExcluded(ControlId source, const std::vector<Term> &formulas) {
    solver_.push();
    for (const Term &formula : formulas)
      solver_.add(formula);
    const bool excluded = holds(needed_[source]) || addCore(source);
    solver_.pop();
    return excluded;
  }

  bool holds(const std::vector<Term> &assumptions) {
    return budget_.check(solver_, assumptions) == Satisfiability::Unsat;
  }

  bool addCore(ControlId source) {
    const std::vector<Term> &parts = parts_[source];
    auto simple =
        std::find_if(parts.begin(), parts.end(), [](const Term &part) { return rankOf(part) > 1; });
    std::vector<Term> core(parts.begin(), simple);
    core.insert(core.begin(), needed_[source].begin(), needed_[source].end());
    if (!holds(core) && !holds(core = parts))
      return false;
    core = solver_.unsatCore();
    auto isNeeded = [&](const Term &part) {
      const auto &needed = needed_[source];
      return std::find(needed.begin(), needed.end(), part) != needed.end();
    };
    // What is needed anyway comes first, then the simple ones; the last are tried first.
    std::sort(core.begin(), core.end(), [&](const Term &a, const Term &b) {
      return std::tuple(!isNeeded(a), rankOf(a), a) < std::tuple(!isNeeded(b), rankOf(b), b);
    });
    for (size_t i = core.size(); i-- > 0 && !isNeeded(core[i]);) {
      std::vector<Term> fewer = core;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (holds(fewer))
        core = std::move(fewer);
    }
    for (const Term &part : core)
      if (!isNeeded(part))
        add(source, part);
    return true;
  }
};

} // namespace

std::optional<std::vector<Term>>
neededInvariants(const CountingModel &model, const std::vector<Term> &invariants, Budget &budget) {
  budget.report("what the proof needs");
  return Needed(model, invariants, budget).run();
}

} // namespace understudy::compose::counting
