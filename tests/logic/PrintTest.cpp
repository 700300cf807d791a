// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/Print.h"

#include "tests/logic/RandomTerm.h"
#include "tests/logic/TextMeaning.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;
using namespace understudy::logic::smtlib;
using namespace understudy::tests;

namespace {

struct Fixture {
  TermPool pool;
  Variable vx = pool.variable("", "x", pool.intSort());
  Term x = pool.var(vx);
  Term xNext = pool.primed(vx);
  Term y = pool.var(pool.variable("Worker", "y", pool.intSort()));
  Term p = pool.var(pool.variable("", "p", pool.boolSort()));
  Term q = pool.var(pool.variable("", "q", pool.boolSort()));
  Term a = pool.var(pool.variable("", "a", pool.arraySort(pool.intSort(), 4)));
  Term n(int64_t value) { return pool.integer(value); }
};

} // namespace

TEST_CASE_METHOD(Fixture, "text: the fewest parentheses", "[logic]") {
  CHECK(text(pool.equal(xNext, pool.subtract(x, n(1)))) == "x' == x - 1");
  CHECK(text(pool.conjunction({p, pool.disjunction({q, pool.negate(p)})})) == "p && (q || !p)");
  CHECK(text(pool.disjunction({p, pool.conjunction({q, p})})) == "p || q && p");
  CHECK(text(pool.implies(p, pool.implies(q, p))) == "p => q => p");
  CHECK(text(pool.implies(pool.implies(p, q), p)) == "(p => q) => p");
  CHECK(text(pool.ite(p, pool.ite(q, x, y), n(1))) == "p ? q ? x : y : 1");
  CHECK(text(pool.ite(pool.ite(p, q, p), x, y)) == "(p ? q : p) ? x : y");
  CHECK(text(pool.multiply(2, pool.add(x, y))) == "2 * (x + y)");
  CHECK(text(pool.divide(pool.multiply(2, x), 3)) == "2 * x / 3");
  CHECK(text(pool.multiply(2, pool.divide(x, 3))) == "2 * (x / 3)");
  CHECK(text(pool.remainder(pool.add(x, y), 3)) == "(x + y) % 3");
  CHECK(text(pool.equal(pool.equal(p, q), p)) == "(p == q) == p");
  CHECK(text(pool.equal(p, pool.less(x, y))) == "p == x < y");
}

TEST_CASE_METHOD(Fixture, "text: signs", "[logic]") {
  CHECK(text(pool.subtract(x, pool.add(x, y))) == "x - (x + y)");
  CHECK(text(pool.add(x, n(-3))) == "x - 3");
  CHECK(text(pool.sum({pool.multiply(-1, x), y})) == "-x + y");
  CHECK(text(pool.sum({n(-1), x})) == "-1 + x");
  CHECK(text(pool.sum({y, pool.multiply(-2, x)})) == "y - 2 * x");
  CHECK(text(pool.multiply(-2, x)) == "-2 * x");
  CHECK(text(pool.multiply(-1, pool.multiply(-1, x))) == "-(-x)");
  CHECK(text(pool.multiply(-1, n(-3))) == "-(-3)");
}

TEST_CASE_METHOD(Fixture, "text: comparisons read forwards", "[logic]") {
  CHECK(text(pool.less(n(0), x)) == "x > 0");
  CHECK(text(pool.lessEqual(n(0), x)) == "x >= 0");
  CHECK(text(pool.negate(pool.less(x, y))) == "x >= y");
  CHECK(text(pool.negate(pool.less(n(0), x))) == "x <= 0");
  CHECK(text(pool.distinct(x, y)) == "x != y");
  CHECK(text(pool.negate(pool.negate(p))) == "!!p");
  CHECK(text(pool.negate(pool.conjunction({p, q}))) == "!(p && q)");
}

TEST_CASE_METHOD(Fixture, "text: names, arrays and enums", "[logic]") {
  CHECK(text(y) == "y");
  CHECK(text(pool.select(a, pool.add(x, n(1)))) == "a[x + 1]");
  CHECK(text(pool.select(pool.primed(a.variable()), x)) == "a'[x]");
  CHECK(text(pool.store(a, x, n(1))) == "a[x := 1]");
  Sort mode = pool.enumSort("Mode", {{"idle", 0}, {"busy", 4}});
  CHECK(text(pool.equal(pool.var(pool.variable("", "m", mode)), pool.enumerator(mode, 4))) ==
        "m == busy");
}

TEST_CASE("the text of a term means what the term means", "[logic][property]") {
  for (size_t run = 0; run < runs(20000); ++run) {
    uint64_t seed = seedOf(run);
    Random random(seed);
    TermPool pool;
    Vocabulary vocabulary = smallVocabulary(pool, Arrays::Without);
    RandomTerm generator(pool, vocabulary, random);
    Term term = random.oneIn(2) ? generator.boolean(4) : generator.integer(4);
    State state = randomState(vocabulary, random);
    auto lookup = [&](const std::string &name, const int64_t *) -> int64_t {
      if (name == "idle" || name == "busy")
        return name == "busy" ? 4 : 0;
      for (const auto &[use, value] : state)
        if (use.variable.name() + (use.primed ? "'" : "") == name)
          return value.number();
      throw std::runtime_error("unknown name " + name);
    };
    INFO("seed " << seed << ": " << text(term));
    REQUIRE(TextMeaning(text(term), lookup).value() ==
            evaluate(term, environmentOf(state)).number());
  }
}
