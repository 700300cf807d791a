// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"
#include "logic/Value.h"

#include <map>
#include <random>
#include <vector>

namespace understudy::tests {

/// Random formulas over a few variables of every sort, before and after a step, and random values
/// for them.
class RandomTerms {
public:
  explicit RandomTerms(uint64_t seed) : random_(seed) {
    logic::Sort boolean = pool.boolSort();
    logic::Sort mode = pool.enumSort("Mode", {{"idle", 0}, {"busy", 4}});
    for (const char *name : {"a", "b"})
      variables.push_back(pool.variable("", name, boolean));
    for (const char *name : {"x", "y"})
      variables.push_back(pool.variable("", name, pool.intSort()));
    variables.push_back(pool.variable("", "r", pool.rangeSort(-1, 2)));
    variables.push_back(pool.variable("", "m", mode));
    variables.push_back(pool.variable("", "v", pool.arraySort(pool.rangeSort(0, 2), 2)));
    variables.push_back(pool.variable("", "w", pool.arraySort(pool.intSort(), std::nullopt)));
  }

  logic::TermPool pool;
  std::vector<logic::Variable> variables;

  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  logic::Value value(logic::Sort sort) {
    if (auto values = sort.values())
      return (*values)[below(values->size())];
    if (!sort.isArray())
      return static_cast<int64_t>(below(7)) - 3;
    logic::ArrayValue array{logic::defaultValue(sort.element()).number(), {}};
    for (int64_t i = 0; i < 2; ++i)
      array = array.with(i, value(sort.element()).number());
    return logic::Value(array);
  }

  logic::Term formula(int depth) {
    if (depth == 0)
      return literal();
    switch (below(9)) {
    case 0:
      return pool.negate(formula(depth - 1));
    case 1:
      return pool.conjunction({formula(depth - 1), formula(depth - 1), formula(depth - 1)});
    case 2:
      return pool.disjunction({formula(depth - 1), formula(depth - 1)});
    case 3:
      return pool.implies(formula(depth - 1), formula(depth - 1));
    case 4:
      return pool.ite(formula(depth - 1), formula(depth - 1), formula(depth - 1));
    case 5:
      return pool.equal(formula(depth - 1), formula(depth - 1));
    case 6:
      return pool.less(number(depth - 1), number(depth - 1));
    case 7:
      return pool.lessEqual(number(depth - 1), number(depth - 1));
    default:
      return pool.equal(number(depth - 1), number(depth - 1));
    }
  }

  logic::Term number(int depth) {
    if (depth == 0)
      return below(3) == 0 ? pool.integer(static_cast<int64_t>(below(5)) - 2)
                           : occurrence(variables[2 + below(3)]);
    switch (below(7)) {
    case 0:
      return pool.sum({number(depth - 1), number(depth - 1), number(0)});
    case 1:
      return pool.multiply(static_cast<int64_t>(below(5)) - 2, number(depth - 1));
    case 2:
      return pool.divide(number(depth - 1), 1 + static_cast<int64_t>(below(3)));
    case 3:
      return pool.remainder(number(depth - 1), 1 + static_cast<int64_t>(below(3)));
    case 4:
      return pool.ite(formula(depth - 1), number(depth - 1), number(depth - 1));
    case 5:
      return pool.select(array(depth - 1), number(depth - 1));
    default:
      return number(0);
    }
  }

  logic::Term array(int depth) {
    logic::Term base = occurrence(variables[6 + below(2)]);
    return depth == 0 ? base : pool.store(base, number(depth - 1), pool.integer(1));
  }

private:
  std::mt19937_64 random_;

  logic::Term occurrence(logic::Variable v) { return below(2) == 0 ? pool.var(v) : pool.primed(v); }

  logic::Term literal() {
    switch (below(4)) {
    case 0:
      return pool.boolean(below(2) == 0);
    case 1:
      return pool.equal(occurrence(variables[5]), pool.enumerator(variables[5].sort(), 4));
    default:
      return occurrence(variables[below(2)]);
    }
  }
};

} // namespace understudy::tests
