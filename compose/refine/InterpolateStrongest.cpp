// SPDX-License-Identifier: Apache-2.0
//
// Strongest postconditions: I_{i+1} = there are old values of the modified variables with I_i and
// T_i; what the rest of the run does not use is forgotten. Then the conjuncts that are not needed
// are dropped from the end to the start. (engine.md, section 4.1.)
#include "compose/refine/InterpolateParts.h"

#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::refine {

using logic::TermPool;

namespace {

/// I_i and T_i, where old values of modified variables have other names and new ones the plain.
Term image(TermPool &pool, const std::vector<Term> &before, const Step &step) {
  std::vector<Term> all = before;
  all.insert(all.end(), step.conjuncts.begin(), step.conjuncts.end());
  return logic::substitute(pool.conjunction(all), [&](Variable v, bool primed) {
    bool modified = std::binary_search(step.modified.begin(), step.modified.end(), v);
    return modified && !primed ? pool.var(standIn(pool, v)) : pool.var(v);
  });
}

} // namespace

std::optional<Sequence> strongestPostconditions(TermPool &pool, const ReducedRun &run,
                                                const Effort &effort) {
  logic::solver::Eliminator eliminator(pool, effort.elimination());
  Sequence sequence(run.steps.size() + 1);
  for (size_t i = 0; i < run.steps.size(); ++i) {
    if (effort.isSpent())
      return std::nullopt;
    Term open = image(pool, sequence[i], run.steps[i]);
    std::vector<Variable> bound;
    const std::vector<Variable> &relevant = run.relevant[i + 1];
    for (const logic::VariableUse &use : logic::variablesOf(open))
      if (!std::binary_search(relevant.begin(), relevant.end(), use.variable))
        bound.push_back(use.variable);
    auto after = eliminator.exists(bound, open);
    if (!after)
      return std::nullopt;
    sequence[i + 1] = conjunctList(pool, {*after});
  }
  // Nothing is relevant at the end, but a formula without variables may be hard to see through.
  sequence.back() = {pool.boolean(false)};
  weakenBackward(pool, run, sequence, effort);
  return sequence;
}

} // namespace understudy::compose::refine
