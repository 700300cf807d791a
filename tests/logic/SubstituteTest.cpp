// SPDX-License-Identifier: Apache-2.0
#include "logic/Substitute.h"

#include "logic/smtlib/Print.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;
using namespace understudy::logic::smtlib;

namespace {

struct Fixture {
  TermPool pool;
  Variable x = pool.variable("", "x", pool.intSort());
  Variable y = pool.variable("", "y", pool.intSort());
  Variable p = pool.variable("", "p", pool.boolSort());
  Variable a = pool.variable("", "a", pool.arraySort(pool.intSort(), 4));
  Variable u = pool.variable("", "u", pool.arraySort(pool.intSort(), std::nullopt));

  Term read(Variable index) { return pool.select(pool.var(a), pool.var(index)); }
  Term isZero(Term term) { return pool.equal(term, pool.integer(0)); }
};

} // namespace

TEST_CASE_METHOD(Fixture, "substitution is simultaneous", "[logic]") {
  Term difference = pool.subtract(pool.var(x), pool.var(y));
  Term swapped =
      substitute(difference, [&](Variable v, bool) { return v == x ? pool.var(y) : pool.var(x); });
  CHECK(text(swapped) == "y - x");
}

TEST_CASE_METHOD(Fixture, "substitution tells primes apart and leaves the rest", "[logic]") {
  Term step = pool.equal(pool.primed(x), pool.add(pool.var(x), pool.var(y)));
  Term result = substitute(
      step, [&](Variable v, bool primed) { return v == x && primed ? pool.integer(3) : Term(); });
  CHECK(text(result) == "3 == x + y");
}

TEST_CASE_METHOD(Fixture, "substitution is linear in shared terms", "[logic]") {
  Term t = pool.var(x);
  for (int i = 0; i < 200; ++i)
    t = pool.ite(pool.less(t, pool.integer(i)), t, pool.multiply(2, t));
  size_t calls = 0;
  Term result = substitute(t, [&](Variable, bool) {
    ++calls;
    return pool.var(y);
  });
  CHECK(calls == 1);
  CHECK(variablesOf(result) == std::vector<VariableUse>{{y, false}});
}

TEST_CASE_METHOD(Fixture, "prime", "[logic]") {
  CHECK(text(prime(pool.less(pool.var(x), read(y)))) == "x' < a'[y']");
}

TEST_CASE_METHOD(Fixture, "definedness follows the evaluation", "[logic]") {
  Term inRange = pool.conjunction(
      {pool.lessEqual(pool.integer(0), pool.var(x)), pool.less(pool.var(x), pool.integer(4))});
  Term safe = isZero(read(x));
  CHECK(definedness(safe) == inRange);
  CHECK(definedness(pool.conjunction({pool.var(p), safe})) ==
        pool.disjunction({pool.negate(pool.var(p)), inRange}));
  CHECK(definedness(pool.disjunction({pool.var(p), safe})) ==
        pool.disjunction({pool.var(p), inRange}));
  CHECK(definedness(pool.implies(pool.var(p), safe)) == pool.implies(pool.var(p), inRange));
  CHECK(definedness(pool.conjunction({safe, pool.var(p)})) == inRange);
  CHECK(definedness(pool.ite(pool.var(p), read(x), pool.integer(0))) ==
        pool.implies(pool.var(p), inRange));
  CHECK(definedness(pool.ite(pool.var(p), pool.integer(0), read(x))) ==
        pool.disjunction({pool.var(p), inRange}));
}

TEST_CASE_METHOD(Fixture, "definedness is true where nothing can go wrong", "[logic]") {
  CHECK(definedness(isZero(pool.select(pool.var(a), pool.integer(3)))).isTrue());
  CHECK(definedness(isZero(pool.select(pool.var(u), pool.var(x)))).isTrue());
  CHECK(definedness(pool.less(pool.var(x), pool.var(y))).isTrue());
}
