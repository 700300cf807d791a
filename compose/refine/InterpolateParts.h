// SPDX-License-Identifier: Apache-2.0
//
// What the methods of interpolation share. None of them is trusted: `Interpolate.cpp` checks each
// sequence against the full steps.
#pragma once

#include "compose/refine/Interpolate.h"
#include "logic/solver/Eliminate.h"
#include "logic/solver/Solver.h"

#include <chrono>
#include <functional>
#include <unordered_map>

namespace understudy::compose::refine {

/// A list of conjuncts for each position 0 .. n of a run of n steps.
using Sequence = std::vector<std::vector<Term>>;

/// What is left of the limits.
class Effort {
public:
  explicit Effort(const InterpolationOptions &options);
  logic::solver::SolverLimits solver() const;
  logic::solver::EliminationLimits elimination() const;
  bool isSpent() const;

private:
  uint64_t resources_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::stop_token stop_;
  logic::solver::Pace *pace_;
  double secondsLeft() const; ///< 0: no limit
};

/// An infeasible run with just the conjuncts that make it so. A conjunct that was dropped leaves
/// the variables it determined with any values: the run allows more than the original.
struct ReducedRun {
  std::vector<Step> steps;
  /// For each position 0 .. n: the variables whose value there is constrained before and used
  /// after. Interpolants need no others. Sorted.
  std::vector<std::vector<Variable>> relevant;
};

/// None if the run is feasible. The whole run if the solver cannot tell.
std::optional<ReducedRun> reduce(logic::TermPool &pool, std::span<const Step> steps,
                                 const Effort &effort);

/// The formula about the state after the step: modified variables are primed.
Term afterStep(Term formula, const Step &step);
/// A variable that stands for another value of this one.
Variable standIn(logic::TermPool &pool, Variable variable);
/// Every variable of the formula is in the sorted list.
bool isOver(Term formula, const std::vector<Variable> &variables);
/// The conjuncts of the simplified formulas, each once; {false} if one is false.
std::vector<Term> conjunctList(logic::TermPool &pool, const std::vector<Term> &formulas);

/// From the end to the start, keeps only those conjuncts that the next predicate needs.
void weakenBackward(logic::TermPool &pool, const ReducedRun &run, Sequence &sequence,
                    const Effort &effort);

std::optional<Sequence> weakestPreconditions(logic::TermPool &pool, const ReducedRun &run,
                                             const Effort &effort);
std::optional<Sequence> strongestPostconditions(logic::TermPool &pool, const ReducedRun &run,
                                                const Effort &effort);
std::optional<Sequence> templates(logic::TermPool &pool, const ReducedRun &run,
                                  const Effort &effort);
std::optional<Sequence> hornChain(logic::TermPool &pool, const ReducedRun &run,
                                  const Effort &effort);

} // namespace understudy::compose::refine
