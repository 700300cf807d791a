// SPDX-License-Identifier: Apache-2.0
#include "compose/refine/Feasibility.h"

#include "logic/Substitute.h"

#include <set>

namespace understudy::compose::refine {

using logic::solver::Satisfiability;

std::vector<Step> stepsOf(const petri::PetriProgram &petri, const petri::Run &run) {
  std::vector<Step> steps{{petri.initial, {}}};
  for (petri::TransitionId id : run) {
    const petri::Label &label = petri.transitions[id].label;
    steps.push_back({label.conjuncts, label.modified});
  }
  return steps;
}

void Versions::advance(const std::vector<Variable> &modified) {
  before_ = after_;
  for (Variable v : modified)
    ++after_[v];
}

Term Versions::version(Variable variable, const std::map<Variable, uint32_t> &versions) const {
  auto found = versions.find(variable);
  const uint32_t number = found == versions.end() ? 0 : found->second;
  return pool_.var(pool_.variable(
      variable.scope(), variable.name() + " after " + std::to_string(number), variable.sort()));
}

Term Versions::before(Variable variable) const { return version(variable, before_); }
Term Versions::after(Variable variable) const { return version(variable, after_); }

Term Versions::rename(Term relation) const {
  return logic::substitute(relation,
                           [&](Variable v, bool primed) { return primed ? after(v) : before(v); });
}

Feasibility feasible(logic::TermPool &pool, std::span<const Step> steps,
                     logic::solver::SolverLimits limits) {
  std::set<Variable> variables;
  for (const Step &step : steps) {
    variables.insert(step.modified.begin(), step.modified.end());
    for (const Term &conjunct : step.conjuncts)
      for (const logic::VariableUse &use : logic::variablesOf(conjunct))
        variables.insert(use.variable);
  }
  logic::solver::Solver solver(pool, limits);
  Versions versions(pool);
  std::vector<std::map<Variable, Variable>> named; // per state: variable -> its version
  auto name = [&] {
    auto &names = named.emplace_back();
    for (Variable v : variables)
      names[v] = versions.after(v).variable();
  };
  name();
  for (const Step &step : steps) {
    versions.advance(step.modified);
    for (const Term &conjunct : step.conjuncts)
      solver.add(versions.rename(conjunct));
    name();
  }
  Feasibility result;
  result.answer = solver.check();
  if (result.answer == Satisfiability::Unknown)
    result.reason = solver.reasonUnknown();
  if (result.answer != Satisfiability::Sat)
    return result;
  const logic::solver::Model model = solver.model();
  for (const auto &names : named) {
    auto &values = result.execution.states.emplace_back();
    for (const auto &[variable, version] : names)
      if (auto value = model.valueOf(version, false))
        values[variable] = *value;
  }
  return result;
}

} // namespace understudy::compose::refine
