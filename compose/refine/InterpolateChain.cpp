// SPDX-License-Identifier: Apache-2.0
//
// A run as a chain of Horn clauses P_i and T_i ==> P_{i+1}, whose solution is an interpolant
// sequence. Slower than the other methods by an order of magnitude (engine.md, section 4.2), and
// so the last.
#include "compose/refine/InterpolateParts.h"

#include "logic/solver/Horn.h"

#include <algorithm>

namespace understudy::compose::refine {

using logic::TermPool;
using logic::solver::HornAtom;
using logic::solver::PredicateId;

namespace {

HornAtom atomBefore(TermPool &pool, PredicateId predicate, const std::vector<Variable> &relevant) {
  HornAtom atom{predicate, {}};
  for (Variable v : relevant)
    atom.arguments.push_back(pool.var(v));
  return atom;
}

HornAtom atomAfter(TermPool &pool, PredicateId predicate, const std::vector<Variable> &relevant,
                   const Step &step) {
  HornAtom atom = atomBefore(pool, predicate, relevant);
  for (Term &argument : atom.arguments)
    argument = afterStep(argument, step);
  return atom;
}

} // namespace

std::optional<Sequence> hornChain(TermPool &pool, const ReducedRun &run, const Effort &effort) {
  logic::solver::HornSolver horn(pool, effort.solver());
  std::vector<PredicateId> predicates;
  for (const std::vector<Variable> &relevant : run.relevant)
    predicates.push_back(horn.declare(relevant));
  for (size_t i = 0; i < run.steps.size(); ++i) {
    std::optional<HornAtom> premise;
    if (i > 0)
      premise = atomBefore(pool, predicates[i], run.relevant[i]);
    horn.add(premise, run.steps[i].conjuncts,
             atomAfter(pool, predicates[i + 1], run.relevant[i + 1], run.steps[i]));
  }
  if (horn.query(predicates.back()) != logic::solver::Satisfiability::Unsat)
    return std::nullopt;
  Sequence sequence(run.steps.size() + 1);
  for (size_t i = 1; i < run.steps.size(); ++i) {
    auto solution = horn.solution(predicates[i]);
    if (!solution)
      return std::nullopt;
    sequence[i] = conjunctList(pool, {*solution});
  }
  sequence.back() = {pool.boolean(false)};
  weakenBackward(pool, run, sequence, effort);
  return sequence;
}

} // namespace understudy::compose::refine
