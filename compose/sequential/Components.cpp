// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Components.h"

#include <numeric>
#include <unordered_map>

namespace understudy::compose::sequential {

namespace {

/// Conjuncts, grouped by union-find over their variables, groups in order of their first conjunct.
std::vector<std::vector<Term>> groups(const std::vector<Term> &conjuncts) {
  std::vector<size_t> parent(conjuncts.size());
  std::iota(parent.begin(), parent.end(), size_t(0));
  auto rootOf = [&](size_t i) {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  };
  std::unordered_map<Variable, size_t> first;
  for (size_t i = 0; i < conjuncts.size(); ++i)
    for (const logic::VariableUse &use : logic::variablesOf(conjuncts[i])) {
      auto [found, isNew] = first.try_emplace(use.variable, i);
      size_t a = rootOf(i);
      size_t b = rootOf(found->second);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::unordered_map<size_t, size_t> index;
  std::vector<std::vector<Term>> result;
  for (size_t i = 0; i < conjuncts.size(); ++i) {
    auto [found, isNew] = index.try_emplace(rootOf(i), result.size());
    if (isNew)
      result.emplace_back();
    result[found->second].push_back(conjuncts[i]);
  }
  return result;
}

} // namespace

std::optional<logic::solver::Model> solveApart(logic::TermPool &pool,
                                               const std::vector<Term> &formulas, Budget &budget) {
  constexpr size_t fewEnough = 50; // small groups are asked together
  std::vector<Term> conjuncts;
  for (const Term &formula : formulas)
    for (const Term &conjunct : logic::conjunctsOf(formula))
      conjuncts.push_back(conjunct);
  logic::solver::Solver solver(pool, budget.limits());
  logic::solver::Model result;
  std::vector<std::vector<Term>> parts = groups(conjuncts);
  for (size_t i = 0; i < parts.size();) {
    solver.push();
    size_t asked = 0;
    for (; i < parts.size() && (asked == 0 || asked + parts[i].size() <= fewEnough); ++i) {
      for (const Term &conjunct : parts[i])
        solver.add(conjunct);
      asked += parts[i].size();
    }
    if (budget.check(solver) != logic::solver::Satisfiability::Sat)
      return std::nullopt;
    result.values.merge(solver.model().values);
    solver.pop();
  }
  return result;
}

} // namespace understudy::compose::sequential
