// SPDX-License-Identifier: Apache-2.0
#include "logic/Simplify.h"

#include "logic/Error.h"
#include "logic/smtlib/Print.h"
#include "logic/solver/Solver.h"
#include "tests/logic/RandomTerm.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;
using namespace understudy::logic::smtlib;
using namespace understudy::logic::solver;
using namespace understudy::tests;

namespace {

std::optional<Value> valueOrOverflow(Term term, const Environment &environment) {
  try {
    return evaluate(term, environment);
  } catch (const Overflow &) {
    return std::nullopt;
  }
}

struct Fixture {
  TermPool pool;
  Term x = pool.var(pool.variable("", "x", pool.intSort()));
  Term y = pool.var(pool.variable("", "y", pool.intSort()));
  Term r = pool.var(pool.variable("", "r", pool.rangeSort(0, 3)));
  Term p = pool.var(pool.variable("", "p", pool.boolSort()));
  Term q = pool.var(pool.variable("", "q", pool.boolSort()));
  Term a = pool.var(pool.variable("", "a", pool.arraySort(pool.intSort(), std::nullopt)));

  Term number(int64_t value) { return pool.integer(value); }
  Term yes = pool.boolean(true);
  Term no = pool.boolean(false);
};

} // namespace

TEST_CASE_METHOD(Fixture, "simplify: connectives", "[logic]") {
  CHECK(simplify(pool.conjunction({p, q, p})) == pool.conjunction({p, q}));
  CHECK(simplify(pool.conjunction({p, q, pool.negate(p)})) == no);
  CHECK(simplify(pool.disjunction({p, q, pool.negate(p)})) == yes);
  CHECK(simplify(pool.disjunction({p, yes})) == yes);
  CHECK(simplify(pool.conjunction({p, no, q})) == no);
  CHECK(simplify(pool.negate(pool.negate(p))) == p);
  CHECK(simplify(pool.implies(p, p)) == yes);
  CHECK(simplify(pool.implies(p, no)) == pool.negate(p));
  CHECK(simplify(pool.ite(p, q, q)) == q);
  CHECK(simplify(pool.ite(yes, x, y)) == x);
  CHECK(simplify(pool.ite(p, yes, no)) == p);
  CHECK(simplify(pool.equal(p, no)) == pool.negate(p));
  CHECK(simplify(pool.conjunction({pool.less(x, y), pool.lessEqual(y, x)})) == no);
  CHECK(simplify(pool.negate(pool.less(x, y))) == pool.lessEqual(y, x));
}

TEST_CASE_METHOD(Fixture, "simplify: numbers", "[logic]") {
  CHECK(simplify(pool.sum({number(1), number(2)})) == number(3));
  CHECK(simplify(pool.sum({x, number(1), number(2)})) == pool.sum({x, number(3)}));
  CHECK(simplify(pool.subtract(x, x)) == number(0));
  CHECK(simplify(pool.sum({x, y, pool.multiply(-1, x)})) == y);
  CHECK(simplify(pool.sum({r, number(1), r})) == pool.sum({pool.multiply(2, r), number(1)}));
  CHECK(simplify(pool.multiply(2, pool.multiply(3, x))) == pool.multiply(6, x));
  CHECK(simplify(pool.multiply(0, x)) == number(0));
  CHECK(simplify(pool.divide(number(-7), 2)) == number(-3));
  CHECK(simplify(pool.remainder(number(-7), 2)) == number(-1));
  CHECK(simplify(pool.divide(r, 4)) == number(0));
  CHECK(simplify(pool.remainder(r, 4)) == r);
}

TEST_CASE_METHOD(Fixture, "simplify: sums that could overflow on the way are left", "[logic]") {
  Term twice = pool.sum({x, y, x});
  CHECK(simplify(twice) == twice);
  Term between = pool.sum({x, number(1), y, number(2)});
  CHECK(simplify(between) == between);
  Term tooLarge = pool.sum({number(INT64_MAX), number(1)});
  CHECK(simplify(tooLarge) == tooLarge);
  Term product = pool.multiply(INT64_MAX, number(2));
  CHECK(simplify(product) == product);
}

TEST_CASE_METHOD(Fixture, "simplify: comparisons", "[logic]") {
  CHECK(simplify(pool.equal(x, x)) == yes);
  CHECK(simplify(pool.less(x, x)) == no);
  CHECK(simplify(pool.less(number(1), number(2))) == yes);
  CHECK(simplify(pool.lessEqual(number(0), r)) == yes);
  CHECK(simplify(pool.less(r, number(0))) == no);
  CHECK(simplify(pool.equal(r, number(4))) == no);
  CHECK(simplify(pool.lessEqual(pool.sum({x, number(1)}), number(5))) ==
        pool.lessEqual(x, number(4)));
  CHECK(simplify(pool.equal(pool.sum({x, number(1)}), pool.sum({y, number(1)}))) ==
        pool.equal(x, y));
  CHECK(simplify(pool.lessEqual(x, number(INT64_MAX))) == pool.lessEqual(x, number(INT64_MAX)));
}

TEST_CASE_METHOD(Fixture, "simplify: arrays", "[logic]") {
  Term stored = pool.store(pool.store(a, number(0), x), number(1), y);
  CHECK(simplify(pool.select(stored, number(1))) == y);
  CHECK(simplify(pool.select(stored, number(0))) == x);
  CHECK(simplify(pool.select(stored, number(2))) == pool.select(a, number(2)));
  CHECK(simplify(pool.select(stored, x)) == pool.select(stored, x));
  CHECK(simplify(pool.store(pool.store(a, x, number(1)), x, number(2))) ==
        pool.store(a, x, number(2)));
  CHECK(simplify(pool.store(a, x, pool.select(a, x))) == a);
  CHECK(simplify(pool.select(pool.constArray(a.sort(), y), x)) == y);
}

TEST_CASE_METHOD(Fixture, "simplify: long and deep terms", "[logic]") {
  std::vector<Term> many;
  for (int i = 0; i < 20000; ++i)
    many.push_back(pool.var(pool.variable("", "v" + std::to_string(i), pool.boolSort())));
  Term wide = pool.conjunction(many);
  CHECK(simplify(wide) == wide);
  Term deep = x;
  for (int i = 0; i < 100000; ++i)
    deep = pool.divide(deep, 3);
  CHECK(simplify(deep) == deep);
  Term shared = p;
  for (int i = 0; i < 1000; ++i)
    shared = pool.equal(shared, pool.negate(shared));
  CHECK(simplify(shared) == no);
}

TEST_CASE("simplify keeps every value, and overflows nowhere new", "[logic][property]") {
  constexpr size_t statesPerTerm = 10;
  for (size_t run = 0; run < runs(100000 / statesPerTerm); ++run) {
    uint64_t seed = seedOf(run);
    INFO("seed " << seed);
    Random random(seed);
    TermPool pool;
    Vocabulary vocabulary = wideVocabulary(pool);
    RandomTerm generator(pool, vocabulary, random);
    int depth = static_cast<int>(random.between(1, 4));
    Term term = random.oneIn(2) ? generator.boolean(depth) : generator.integer(depth);
    Term simple = simplify(term);
    for (size_t i = 0; i < statesPerTerm; ++i) {
      State state = randomState(vocabulary, random);
      auto expected = valueOrOverflow(term, environmentOf(state));
      if (!expected)
        continue;
      INFO(text(term) << "   became   " << text(simple));
      REQUIRE(valueOrOverflow(simple, environmentOf(state)) == expected);
    }
  }
}

TEST_CASE("simplified terms are equivalent over mathematical integers", "[logic][property]") {
  size_t decided = 0;
  size_t count = runs(2000);
  for (size_t run = 0; run < count; ++run) {
    uint64_t seed = seedOf(run);
    INFO("seed " << seed);
    Random random(seed);
    TermPool pool;
    Vocabulary vocabulary = wideVocabulary(pool);
    RandomTerm generator(pool, vocabulary, random);
    Term term = random.oneIn(2) ? generator.boolean(3) : generator.integer(3);
    Term simple = simplify(term);
    INFO(text(term) << "   became   " << text(simple));
    auto valid = isValid(pool.equal(term, simple), {.resources = 2000000});
    REQUIRE(valid != std::optional(false));
    decided += valid.has_value() ? 1 : 0;
  }
  CHECK(decided * 10 >= count * 9);
}
