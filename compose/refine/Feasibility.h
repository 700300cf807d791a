// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/petri/PetriProgram.h"
#include "compose/refine/Interpolate.h"
#include "logic/solver/Solver.h"

#include <map>
#include <string>
#include <vector>

namespace understudy::compose::refine {

/// The initial condition as a step that changes nothing, then the labels of the run.
std::vector<Step> stepsOf(const petri::PetriProgram &petri, const petri::Run &run);

struct Execution {
  /// Values of the variables that the run mentions: states[i] after the first i steps, so that
  /// states[0] is before the first. What is absent is arbitrary, or a number beyond 64 bits.
  std::vector<std::map<Variable, logic::Value>> states;
};

struct Feasibility {
  logic::solver::Satisfiability answer = logic::solver::Satisfiability::Unknown;
  Execution execution; ///< of Sat
  std::string reason;  ///< of Unknown
};

/// Is there a sequence of states that the steps relate?
Feasibility feasible(logic::TermPool &pool, std::span<const Step> steps,
                     logic::solver::SolverLimits limits);

/// Variables in single-assignment form: the index of a variable advances where it is modified.
class Versions {
public:
  explicit Versions(logic::TermPool &pool) : pool_(pool) {}
  void advance(const std::vector<Variable> &modified);
  /// After `advance`: unprimed occurrences denote the values before the step, primed ones after.
  Term before(Variable variable) const;
  Term after(Variable variable) const;
  Term rename(Term relation) const;

private:
  logic::TermPool &pool_;
  std::map<Variable, uint32_t> before_;
  std::map<Variable, uint32_t> after_;
  Term version(Variable variable, const std::map<Variable, uint32_t> &versions) const;
};

} // namespace understudy::compose::refine
