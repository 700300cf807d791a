// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/Code.h"
#include "compose/Solutions.h"
#include "compose/exploration/EdgePlan.h"
#include "logic/Error.h"
#include "logic/smtlib/Print.h"
#include "tests/compose/RandomTerms.h"

#include <catch2/catch.hpp>
#include <set>

using namespace understudy;
using compose::exploration::ArrayTable;
using logic::Value;
using logic::Variable;

namespace {

struct Fixture {
  explicit Fixture(uint64_t seed) : terms(seed) {}
  tests::RandomTerms terms;
  ArrayTable arrays;

  uint32_t slot(Variable v, bool primed) const {
    auto at = std::find(terms.variables.begin(), terms.variables.end(), v);
    auto index = static_cast<uint32_t>(at - terms.variables.begin());
    return index + (primed ? static_cast<uint32_t>(terms.variables.size()) : 0);
  }

  std::vector<Value> randomValues() {
    std::vector<Value> values;
    for (int phase = 0; phase < 2; ++phase)
      for (Variable v : terms.variables)
        values.push_back(terms.value(v.sort()));
    return values;
  }

  std::vector<int64_t> slots(const std::vector<Value> &values) {
    std::vector<int64_t> result;
    for (const Value &v : values)
      result.push_back(arrays.toSlot(v));
    return result;
  }
};

} // namespace

TEST_CASE("code computes what evaluation computes") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Fixture f(seed);
    logic::Term term = f.terms.formula(4);
    compose::exploration::Code code(term, [&](Variable v, bool p) { return f.slot(v, p); });
    for (int i = 0; i < 20; ++i) {
      auto values = f.randomValues();
      auto slots = f.slots(values);
      bool expected = logic::holds(term, [&](Variable v, bool p) { return values[f.slot(v, p)]; });
      INFO("seed " << seed << ": " << logic::smtlib::text(term));
      REQUIRE(code.run(slots.data(), f.arrays) == (expected ? 1 : 0));
    }
  }
}

TEST_CASE("code reports overflow as evaluation does") {
  logic::TermPool pool;
  Variable x = pool.variable("", "x", pool.intSort());
  logic::Term doubled = pool.less(pool.integer(0), pool.multiply(4, pool.var(x)));
  logic::Term guarded = pool.conjunction({pool.less(pool.var(x), pool.integer(10)), doubled});
  auto slotOf = [](Variable, bool) { return 0u; };
  ArrayTable arrays;
  int64_t huge = INT64_MAX / 2;
  REQUIRE_THROWS_AS(compose::exploration::Code(doubled, slotOf).run(&huge, arrays),
                    logic::Overflow);
  REQUIRE(compose::exploration::Code(guarded, slotOf).run(&huge, arrays) == 0);
}

TEST_CASE("a plan finds exactly the solutions, where both ways can tell") {
  size_t solved = 0;
  size_t refused = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Fixture f(seed);
    logic::Term formula = f.terms.formula(1 + static_cast<int>(f.terms.below(3)));
    // Unknown: a', m' and sometimes x', with an equation for it in half of the cases.
    std::vector<logic::VariableUse> unknowns{{f.terms.variables[0], true},
                                             {f.terms.variables[5], true}};
    if (f.terms.below(2) == 0)
      unknowns.push_back({f.terms.variables[2], true});
    if (f.terms.below(2) == 0)
      formula = f.terms.pool.conjunction(
          {formula, f.terms.pool.equal(f.terms.pool.primed(f.terms.variables[2]),
                                       f.terms.pool.var(f.terms.variables[3]))});
    auto values = f.randomValues();
    auto slots = f.slots(values);
    auto known = [&](Variable v, bool p) { return values[f.slot(v, p)]; };
    INFO("seed " << seed << ": " << logic::smtlib::text(formula));

    std::set<std::vector<Value>> expected;
    bool expectedRefusal = false;
    try {
      auto all = compose::solutions(formula, unknowns, known, "the formula", {});
      expected.insert(all.begin(), all.end());
    } catch (const logic::Unsupported &) {
      expectedRefusal = true;
    }
    compose::exploration::EdgePlan plan(formula, unknowns,
                                        [&](Variable v, bool p) { return f.slot(v, p); });
    std::set<std::vector<Value>> found;
    try {
      plan.run(slots.data(), f.arrays, [&] {
        std::vector<Value> solution;
        for (const auto &use : unknowns)
          solution.push_back(
              f.arrays.fromSlot(slots[f.slot(use.variable, use.primed)], use.variable.sort()));
        found.insert(solution);
      });
    } catch (const logic::Unsupported &) {
      ++refused;
      continue;
    }
    if (expectedRefusal)
      continue; // splitting cases refutes some formulas that trying values cannot
    REQUIRE(found == expected);
    ++solved;
  }
  CHECK(solved > 1500);
  CHECK(refused > 50);
}
