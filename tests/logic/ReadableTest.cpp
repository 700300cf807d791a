// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/Readable.h"

#include "logic/smtlib/Print.h"
#include "tests/logic/RandomTerm.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::logic;
using logic::smtlib::readable;

TEST_CASE("readable formulas mean the same", "[logic]") {
  for (size_t run = 0; run < tests::runs(3000); ++run) {
    const uint64_t seed = tests::seedOf(run);
    TermPool pool;
    tests::Random random(seed);
    const auto vocabulary = tests::smallVocabulary(pool, tests::Arrays::Without);
    const Term formula = tests::RandomTerm(pool, vocabulary, random).boolean(4);
    const Term shown = readable(formula);
    INFO("seed " << seed << ": " << smtlib::text(formula) << "\n" << smtlib::text(shown));
    for (const tests::State &state : tests::allStates(vocabulary))
      REQUIRE(holds(shown, tests::environmentOf(state)) ==
              holds(formula, tests::environmentOf(state)));
  }
}

TEST_CASE("readable formulas are short", "[logic]") {
  TermPool pool;
  const auto number = [&](const char *name) {
    return pool.var(pool.variable("", name, pool.intSort()));
  };
  const Term x = number("x"), g = number("g"), zero = pool.integer(0), one = pool.integer(1);
  const Term b = pool.var(pool.variable("", "b", pool.boolSort()));
  const Term both = pool.conjunction({pool.lessEqual(x, zero), pool.lessEqual(zero, x)});
  const auto text = [](Term term) { return smtlib::text(readable(term)); };
  CHECK(text(both) == "x == 0");
  CHECK(text(pool.conjunction({pool.equal(x, g), pool.lessEqual(x, g)})) == "x == g");
  CHECK(text(pool.disjunction({pool.conjunction({pool.equal(g, zero), b, both}),
                               pool.conjunction({pool.equal(g, one), b})})) ==
        "b && (g == 0 && x == 0 || g == 1)");
  CHECK(text(pool.disjunction({pool.conjunction({b, pool.equal(x, one)}), b})) == "b");
  const Term bit = pool.ite(b, one, zero);
  CHECK(text(pool.equal(pool.sum({pool.multiply(-1, x), g, bit}), zero)) == "x == g + (b ? 1 : 0)");
  CHECK(text(pool.equal(pool.sum({pool.multiply(-2, x), g, one}), zero)) == "2 * x == g + 1");
  CHECK(text(pool.equal(bit, zero)) == "!b");
  CHECK(text(pool.equal(bit, one)) == "b");
  CHECK(text(pool.negate(pool.disjunction({pool.negate(b), pool.equal(x, one)}))) == "b && x != 1");
}
