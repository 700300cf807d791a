// SPDX-License-Identifier: Apache-2.0
//
// Interpolant sequences without an interpolation interface of the solver.
//
// The problem: an infeasible run T_1 .. T_n; wanted are predicates true = I_0, I_1, .., I_n = false
// with {I_i} T_{i+1} {I_{i+1}} that hold in as many other runs as possible.
// The idea: reduce the run to an inconsistent set of conjuncts, and let several methods work on
// what is left. None is best for all runs: weakest preconditions always succeed where quantifiers
// can be eliminated, templates generalise better (engine.md, sections 4.2 and 4.3). Both are
// returned; the slower ones are asked when both fail.
// The invariant: nothing leaves this file that was not checked, step by step, on the full steps.
//
// Where we deviate from engine.md, section 4.4: the methods run one after the other, so that
// results do not depend on which thread was faster; there is no projection by models.
#include "compose/refine/InterpolateParts.h"

#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::refine {

using logic::TermPool;
using logic::solver::Satisfiability;
using logic::solver::Solver;

Effort::Effort(const InterpolationOptions &options)
    : resources_(options.resources), stop_(options.stop), pace_(options.pace) {
  if (options.maxSeconds > 0)
    deadline_ = std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(options.maxSeconds));
}

double Effort::secondsLeft() const {
  if (!deadline_)
    return 0;
  constexpr double least = 0.001; // 0 would be no limit
  std::chrono::duration<double> left = *deadline_ - std::chrono::steady_clock::now();
  return std::max(left.count(), least);
}

logic::solver::SolverLimits Effort::solver() const {
  return {resources_, secondsLeft(), stop_, pace_};
}

logic::solver::EliminationLimits Effort::elimination() const {
  logic::solver::EliminationLimits limits;
  if (deadline_)
    limits.seconds = std::min(limits.seconds, secondsLeft());
  limits.stop = stop_;
  return limits;
}

bool Effort::isSpent() const {
  return stop_.stop_requested() || (deadline_ && std::chrono::steady_clock::now() >= *deadline_);
}

Term afterStep(Term formula, const Step &step) {
  return logic::substitute(formula, [&](Variable v, bool) {
    bool modified = std::binary_search(step.modified.begin(), step.modified.end(), v);
    return modified ? formula.pool().primed(v) : Term();
  });
}

Variable standIn(TermPool &pool, Variable variable) {
  return pool.variable("!other", variable.fullName(), variable.sort());
}

bool isOver(Term formula, const std::vector<Variable> &variables) {
  std::vector<logic::VariableUse> uses = logic::variablesOf(formula);
  return std::all_of(uses.begin(), uses.end(), [&](const logic::VariableUse &use) {
    return std::binary_search(variables.begin(), variables.end(), use.variable);
  });
}

std::vector<Term> conjunctList(TermPool &pool, const std::vector<Term> &formulas) {
  Term whole = logic::simplify(pool.conjunction(formulas));
  std::vector<Term> result;
  for (const Term &conjunct : logic::conjunctsOf(whole))
    if (!conjunct.isTrue() && std::find(result.begin(), result.end(), conjunct) == result.end())
      result.push_back(conjunct);
  return result;
}

namespace {

/// One solver for all steps of a run: a new one costs more than most queries.
class StepSolver {
public:
  StepSolver(TermPool &pool, const Effort &effort)
      : pool_(pool), effort_(effort), solver_(pool, effort.solver()) {}

  /// {before} step {after}; false also if the solver cannot tell.
  bool isTriple(const std::vector<Term> &before, const Step &step, const std::vector<Term> &after) {
    if (after.empty())
      return true;
    begin(step, after);
    for (const Term &conjunct : before)
      solver_.add(conjunct);
    bool result = solver_.check() == Satisfiability::Unsat;
    solver_.pop();
    return result;
  }

  /// The conjuncts without which the step does not lead to `after`.
  std::vector<Term> needed(std::vector<Term> before, const Step &step,
                           const std::vector<Term> &after) {
    if (after.empty())
      return {};
    begin(step, after);
    if (solver_.check(before) == Satisfiability::Unsat) {
      keepCore(before);
      for (size_t i = 0; i < before.size() && !effort_.isSpent();) {
        std::vector<Term> rest = before;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        if (solver_.check(rest) == Satisfiability::Unsat)
          keepCore(before);
        else
          ++i;
      }
    }
    solver_.pop();
    return before;
  }

private:
  TermPool &pool_;
  const Effort &effort_;
  Solver solver_;

  /// Opens a scope with the step and the states after it that are not wanted.
  void begin(const Step &step, const std::vector<Term> &after) {
    solver_.limitSeconds(effort_.solver().seconds);
    solver_.push();
    for (const Term &conjunct : step.conjuncts)
      solver_.add(conjunct);
    solver_.add(pool_.negate(afterStep(pool_.conjunction(after), step)));
  }
  void keepCore(std::vector<Term> &conjuncts) {
    std::vector<Term> core = solver_.unsatCore();
    std::erase_if(conjuncts, [&](const Term &conjunct) {
      return std::find(core.begin(), core.end(), conjunct) == core.end();
    });
  }
};

bool isChecked(TermPool &pool, std::span<const Step> steps, const Sequence &sequence,
               const Effort &effort) {
  if (sequence.size() != steps.size() + 1 || !sequence.front().empty() ||
      sequence.back() != std::vector{pool.boolean(false)})
    return false;
  for (const std::vector<Term> &predicate : sequence)
    for (const Term &conjunct : predicate)
      if (conjunct.hasPrimes())
        return false;
  StepSolver solver(pool, effort);
  for (size_t i = 0; i < steps.size(); ++i)
    if (!solver.isTriple(sequence[i], steps[i], sequence[i + 1]))
      return false;
  return true;
}

} // namespace

void weakenBackward(TermPool &pool, const ReducedRun &run, Sequence &sequence,
                    const Effort &effort) {
  StepSolver solver(pool, effort);
  for (size_t i = run.steps.size(); i-- > 0;)
    sequence[i] = solver.needed(std::move(sequence[i]), run.steps[i], sequence[i + 1]);
}

std::vector<Interpolants> interpolate(TermPool &pool, std::span<const Step> steps,
                                      const InterpolationOptions &options) {
  Effort effort(options);
  std::vector<Interpolants> results;
  std::optional<ReducedRun> run = reduce(pool, steps, effort);
  if (!run)
    return results;
  auto offer = [&](const char *method, std::optional<Sequence> sequence) {
    if (!sequence || !isChecked(pool, steps, *sequence, effort))
      return;
    for (const Interpolants &known : results)
      if (known.predicates == *sequence)
        return;
    results.push_back({std::move(*sequence), method});
  };
  offer("weakest precondition", weakestPreconditions(pool, *run, effort));
  offer("templates", templates(pool, *run, effort));
  if (results.empty())
    offer("strongest postcondition", strongestPostconditions(pool, *run, effort));
  if (results.empty())
    offer("Horn clauses", hornChain(pool, *run, effort));
  return results;
}

} // namespace understudy::compose::refine
