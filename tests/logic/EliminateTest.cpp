// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Eliminate.h"

#include "tests/logic/RandomTerm.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;
using namespace understudy::logic::solver;
using namespace understudy::tests;

namespace {

struct Numbers {
  TermPool pool;
  Variable vx = pool.variable("", "x", pool.intSort());
  Variable vy = pool.variable("", "y", pool.intSort());
  Variable vz = pool.variable("", "z", pool.intSort());
  Term x = pool.var(vx);
  Term y = pool.var(vy);
  Term z = pool.var(vz);
  Eliminator eliminator{pool};

  std::optional<Term> withoutX(std::vector<Term> conjuncts) {
    return eliminator.exists(std::vector{vx}, pool.conjunction(std::move(conjuncts)));
  }
  bool same(std::optional<Term> a, Term b) {
    return a && isValid(pool.equal(*a, b), {1'000'000, 0}) == true;
  }
};

} // namespace

TEST_CASE("Elimination: equations, inequalities and divisibility") {
  Numbers n;
  TermPool &pool = n.pool;
  CHECK(n.same(n.withoutX({pool.equal(n.x, pool.add(n.y, pool.integer(1))), pool.less(n.x, n.z)}),
               pool.less(pool.add(n.y, pool.integer(1)), n.z)));
  CHECK(n.same(n.withoutX({pool.less(n.y, n.x), pool.less(n.x, n.z)}),
               pool.lessEqual(pool.add(n.y, pool.integer(2)), n.z)));
  CHECK(n.same(n.withoutX({pool.equal(pool.multiply(2, n.x), n.y)}),
               pool.equal(pool.remainder(n.y, 2), pool.integer(0))));
  CHECK(n.same(n.eliminator.forAll(std::vector{n.vx},
                                   pool.implies(pool.less(n.y, n.x), pool.less(n.z, n.x))),
               pool.lessEqual(n.z, n.y)));
}

TEST_CASE("Elimination: what is not there needs no elimination; what is too large is refused") {
  Numbers n;
  Term formula = n.pool.less(n.y, n.z);
  CHECK(n.withoutX({formula}) == formula);
  Eliminator narrow(n.pool, {2, 24, 0});
  CHECK_FALSE(narrow.exists(std::vector{n.vx}, n.pool.less(n.x, n.pool.add(n.y, n.z))));
  Eliminator none(n.pool, {2'000, 0, 0});
  CHECK_FALSE(none.exists(std::vector{n.vx}, n.pool.less(n.x, n.y)));
}

TEST_CASE("Elimination: bound variables stay in their sorts") {
  TermPool pool;
  Variable vb = pool.variable("", "b", pool.rangeSort(0, 3));
  Variable vy = pool.variable("", "y", pool.intSort());
  Eliminator eliminator(pool);
  auto result = eliminator.exists(std::vector{vb}, pool.less(pool.var(vy), pool.var(vb)));
  REQUIRE(result);
  CHECK(isValid(pool.equal(*result, pool.less(pool.var(vy), pool.integer(3)))) == true);
}

TEST_CASE("Elimination: random formulas mean the same as trying all values") {
  size_t eliminated = 0;
  const size_t count = runs(600);
  for (size_t run = 0; run < count; ++run) {
    INFO("seed " << seedOf(run));
    Random random(seedOf(run));
    TermPool pool;
    Vocabulary vocabulary = smallVocabulary(pool, Arrays::Without);
    auto primed = [](const Term &t) { return t.primed(); };
    for (auto *list : {&vocabulary.bools, &vocabulary.integers, &vocabulary.enums})
      std::erase_if(*list, primed);
    Term formula = RandomTerm(pool, vocabulary, random).boolean(3);
    Variable bound = random.pick(vocabulary.all()).variable();
    auto result = Eliminator(pool).exists(std::vector{bound}, formula);
    if (!result)
      continue;
    ++eliminated;
    const auto values = allValues(bound.sort(), 100);
    REQUIRE(values);
    for (const State &state : allStates(vocabulary)) {
      bool some = false;
      for (const Value &value : *values) {
        State changed = state;
        changed[{bound, false}] = value;
        some = some || holds(formula, environmentOf(changed));
      }
      REQUIRE(holds(*result, environmentOf(state)) == some);
    }
  }
  CHECK(eliminated * 10 >= count * 9);
}
