// SPDX-License-Identifier: Apache-2.0
#include "compose/refine/WeakestPrecondition.h"

#include "compose/refine/Feasibility.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::refine {

using logic::Satisfiability;

namespace {

/// The conjuncts that take part in the contradiction.
std::optional<std::vector<Step>> reduced(logic::TermPool &pool, std::span<const Step> steps,
                                         logic::SolverLimits limits) {
  logic::Solver solver(pool, limits);
  Versions versions(pool);
  std::vector<std::vector<Term>> named;
  std::vector<Term> all;
  for (const Step &step : steps) {
    versions.advance(step.modified);
    auto &terms = named.emplace_back();
    for (const Term &conjunct : step.conjuncts)
      terms.push_back(versions.rename(conjunct));
    all.insert(all.end(), terms.begin(), terms.end());
  }
  if (solver.check(all) != Satisfiability::Unsat)
    return std::nullopt;
  const auto list = solver.unsatCore();
  const std::set<Term> core(list.begin(), list.end());
  std::vector<Step> result;
  for (size_t i = 0; i < steps.size(); ++i) {
    Step step{{}, steps[i].modified};
    for (size_t j = 0; j < named[i].size(); ++j)
      if (core.contains(named[i][j]))
        step.conjuncts.push_back(steps[i].conjuncts[j]);
    result.push_back(std::move(step));
  }
  return result;
}

std::optional<Term> definition(const Term &conjunct, Variable variable) {
  logic::TermPool &pool = conjunct.pool();
  const Term after = pool.primed(variable);
  if (conjunct == after)
    return pool.boolean(true);
  if (conjunct.op() == logic::Op::Not && conjunct.operand(0) == after)
    return pool.boolean(false);
  if (conjunct.op() != logic::Op::Equal)
    return std::nullopt;
  for (size_t i : {0u, 1u})
    if (conjunct.operand(i) == after && !conjunct.operand(1 - i).hasPrimes())
      return conjunct.operand(1 - i);
  return std::nullopt;
}

std::optional<Term> before(const Step &step, Term after) {
  logic::TermPool &pool = after.pool();
  std::map<Variable, Term> values;
  for (const Term &conjunct : step.conjuncts)
    for (Variable v : step.modified)
      if (auto value = definition(conjunct, v))
        values.try_emplace(v, *value);
  bool open = false;
  auto resolve = [&](Term term, bool all) {
    return logic::substitute(term, [&](Variable v, bool primed) -> Term {
      const bool changes =
          std::binary_search(step.modified.begin(), step.modified.end(), v) && (primed || all);
      if (!changes)
        return {};
      auto value = values.find(v);
      open = open || value == values.end();
      return value == values.end() ? Term() : value->second;
    });
  };
  std::vector<Term> parts{resolve(after, true)};
  for (const Term &conjunct : step.conjuncts)
    parts.push_back(pool.negate(resolve(conjunct, false)));
  if (open)
    return std::nullopt;
  return logic::simplify(pool.disjunction(parts));
}

} // namespace

std::optional<Interpolants> byWeakestPrecondition(logic::TermPool &pool,
                                                  std::span<const Step> steps,
                                                  logic::SolverLimits limits) {
  const auto core = reduced(pool, steps, limits);
  if (!core)
    return std::nullopt;
  Interpolants result;
  result.method = "weakest precondition";
  result.predicates.resize(steps.size() + 1);
  Term formula = pool.boolean(false);
  for (size_t i = steps.size(); i > 0; --i) {
    result.predicates[i] = logic::conjunctsOf(formula);
    const auto earlier = before((*core)[i - 1], formula);
    if (!earlier)
      return std::nullopt;
    formula = *earlier;
  }
  return result;
}

} // namespace understudy::compose::refine
