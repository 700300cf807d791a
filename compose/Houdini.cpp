// SPDX-License-Identifier: Apache-2.0
#include "compose/Houdini.h"

#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose {

using logic::solver::Satisfiability;
using logic::solver::Solver;

bool Houdini::run(const std::function<void(Place)> &strikeFrom) {
  while (!gaveUp_ && std::find(open_.begin(), open_.end(), true) != open_.end())
    for (Place place = 0; place < open_.size() && !gaveUp_; ++place)
      if (open_[place]) {
        open_[place] = false;
        strikeFrom(place);
      }
  return !gaveUp_;
}

void Houdini::strike(Solver &solver, Place target, Numbers doubtful,
                     const std::function<Term(uint32_t)> &violationOf) {
  Violations violations;
  // Those that no part implies (any more).
  auto takeUp = [&] {
    std::erase_if(doubtful, [&](uint32_t i) {
      if (isImplied(i, target))
        return false;
      violations.emplace(i, violationOf(i));
      return true;
    });
  };
  takeUp();
  while (!violations.empty() && !gaveUp_) {
    std::vector<Term> broken;
    for (const auto &[i, formula] : violations)
      broken.push_back(formula);
    solver.push();
    solver.add(violations.begin()->second.pool().disjunction(std::move(broken)));
    const Satisfiability answer = budget_.check(solver);
    bool isLess = false;
    if (answer == Satisfiability::Sat) {
      const logic::solver::Model model = solver.model();
      while (dropViolated(model, target, violations)) {
        isLess = true;
        takeUp();
      }
    }
    solver.pop();
    if (answer == Satisfiability::Unsat)
      return;
    if (!isLess && undecided_ == Undecided::GiveUp)
      gaveUp_ = true;
    else if (!isLess) {
      askOneByOne(solver, target, violations);
      takeUp();
    }
  }
}

/// Strikes out what the model violates. False: there is none.
bool Houdini::dropViolated(const logic::solver::Model &model, Place place, Violations &violations) {
  auto value = [&](Variable v, bool primed) {
    return model.valueOf(v, primed).value_or(logic::defaultValue(v.sort()));
  };
  return std::erase_if(violations, [&](const auto &entry) {
           try {
             if (!logic::holds(entry.second, value))
               return false;
           } catch (const logic::Overflow &) {
             return false;
           }
           drop(entry.first, place);
           return true;
         }) != 0;
}

void Houdini::askOneByOne(Solver &solver, Place place, Violations &violations) {
  for (const auto &[candidate, formula] : violations) {
    solver.push();
    solver.add(formula);
    if (budget_.check(solver) != Satisfiability::Unsat)
      drop(candidate, place);
    solver.pop();
  }
  violations.clear();
}

void Houdini::drop(uint32_t candidate, Place place) {
  alive_[place][candidate] = false;
  open_[place] = true;
}

Houdini::Numbers Houdini::numbers(Place place) const {
  Numbers result;
  for (uint32_t i = 0; i < candidates_.size(); ++i)
    if (alive_[place][i])
      result.push_back(i);
  return result;
}

bool Houdini::isImplied(uint32_t candidate, Place place) const {
  const Numbers &parts = candidates_[candidate].parts;
  return std::any_of(parts.begin(), parts.end(),
                     [&](uint32_t part) { return alive_[place][part]; });
}

std::vector<Term> Houdini::left(Place place) const {
  std::vector<Term> result;
  for (uint32_t i : numbers(place))
    if (!isImplied(i, place))
      result.push_back(candidates_[i].formula);
  return result;
}

} // namespace understudy::compose
