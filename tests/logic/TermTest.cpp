// SPDX-License-Identifier: Apache-2.0
#include "logic/Term.h"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <thread>

using namespace understudy::logic;

TEST_CASE("equal terms are one object", "[logic]") {
  TermPool pool;
  Variable x = pool.variable("", "x", pool.intSort());
  CHECK(pool.variable("", "x", pool.intSort()) == x);
  CHECK(pool.variable("T", "x", pool.intSort()) != x);
  CHECK(pool.variable("", "x", pool.rangeSort(0, 1)) != x);
  CHECK(pool.add(pool.var(x), pool.integer(1)) == pool.add(pool.var(x), pool.integer(1)));
  CHECK(pool.add(pool.var(x), pool.integer(1)) != pool.add(pool.primed(x), pool.integer(1)));
  CHECK(pool.rangeSort(0, 3) == pool.rangeSort(0, 3));
  CHECK(pool.rangeSort(0, 3) != pool.rangeSort(0, 4));
  CHECK(pool.multiply(2, pool.var(x)) != pool.divide(pool.var(x), 2));
}

TEST_CASE("terms made by several threads are shared", "[logic]") {
  TermPool pool;
  auto build = [&pool](Term &result) {
    std::vector<Term> parts;
    for (int i = 0; i < 2000; ++i)
      parts.push_back(
          pool.equal(pool.var(pool.variable("", "v" + std::to_string(i % 50), pool.intSort())),
                     pool.integer(i)));
    result = pool.conjunction(parts);
  };
  Term first;
  Term second;
  std::thread other([&] { build(second); });
  build(first);
  other.join();
  CHECK(first == second);
}

TEST_CASE("constructors flatten and drop what they say", "[logic]") {
  TermPool pool;
  Term p = pool.var(pool.variable("", "p", pool.boolSort()));
  Term q = pool.var(pool.variable("", "q", pool.boolSort()));
  Term x = pool.var(pool.variable("", "x", pool.intSort()));
  CHECK(pool.conjunction({}).isTrue());
  CHECK(pool.disjunction({}).isFalse());
  CHECK(pool.conjunction({p}) == p);
  CHECK(pool.conjunction({p, pool.conjunction({q, p})}).operands().size() == 3);
  CHECK(pool.conjunction({pool.boolean(true), p}) == p);
  CHECK(pool.disjunction({pool.boolean(false), q}) == q);
  CHECK(pool.sum({}) == pool.integer(0));
  CHECK(pool.sum({x, pool.sum({x, x})}).operands().size() == 3);
}

TEST_CASE("ill-sorted terms are refused", "[logic]") {
  TermPool pool;
  Sort mode = pool.enumSort("Mode", {{"idle", 0}, {"busy", 1}});
  Sort other = pool.enumSort("Other", {{"on", 0}});
  Term p = pool.boolean(true);
  Term one = pool.integer(1);
  Term idle = pool.enumerator(mode, 0);
  Term array = pool.var(pool.variable("", "a", pool.arraySort(pool.boolSort(), 3)));
  CHECK_THROWS_AS(pool.negate(one), std::logic_error);
  CHECK_THROWS_AS(pool.conjunction({p, one}), std::logic_error);
  CHECK_THROWS_AS(pool.add(one, p), std::logic_error);
  CHECK_THROWS_AS(pool.add(one, idle), std::logic_error);
  CHECK_THROWS_AS(pool.equal(idle, one), std::logic_error);
  CHECK_THROWS_AS(pool.equal(idle, pool.enumerator(other, 0)), std::logic_error);
  CHECK_THROWS_AS(pool.less(p, p), std::logic_error);
  CHECK_THROWS_AS(pool.divide(one, 0), std::logic_error);
  CHECK_THROWS_AS(pool.remainder(one, -2), std::logic_error);
  CHECK_THROWS_AS(pool.select(one, one), std::logic_error);
  CHECK_THROWS_AS(pool.store(array, one, one), std::logic_error);
  CHECK_THROWS_AS(pool.ite(p, one, p), std::logic_error);
  CHECK_THROWS_AS(pool.rangeSort(1, 0), std::logic_error);
  CHECK_THROWS_AS(pool.arraySort(array.sort(), 2), std::logic_error);
  CHECK_NOTHROW(pool.less(idle, idle));
}

TEST_CASE("sorts know their values and names", "[logic]") {
  TermPool pool;
  CHECK(*pool.rangeSort(-1, 2).values() == std::vector<int64_t>{-1, 0, 1, 2});
  CHECK(*pool.enumSort("E", {{"b", 4}, {"a", 1}}).values() == std::vector<int64_t>{1, 4});
  CHECK_FALSE(pool.intSort().values());
  CHECK_FALSE(pool.rangeSort(0, 100).values(50));
  CHECK_FALSE(pool.rangeSort(INT64_MIN, INT64_MAX).values());
  CHECK(*pool.rangeSort(INT64_MAX, INT64_MAX).values() == std::vector<int64_t>{INT64_MAX});
  CHECK(pool.rangeSort(0, 3).text() == "int 0..3");
  CHECK(pool.arraySort(pool.boolSort(), 4).text() == "bool[4]");
  CHECK(pool.arraySort(pool.intSort(), std::nullopt).text() == "int[]");
}

TEST_CASE("inSort states the range", "[logic]") {
  TermPool pool;
  Sort mode = pool.enumSort("Mode", {{"idle", 0}, {"busy", 4}});
  Term m = pool.var(pool.variable("", "m", mode));
  Term x = pool.var(pool.variable("", "x", pool.intSort()));
  CHECK(pool.inSort(m, mode) == pool.disjunction({pool.equal(m, pool.enumerator(mode, 0)),
                                                  pool.equal(m, pool.enumerator(mode, 4))}));
  CHECK(pool.inSort(x, pool.rangeSort(1, 2)) ==
        pool.conjunction({pool.lessEqual(pool.integer(1), x), pool.lessEqual(x, pool.integer(2))}));
  CHECK(pool.inSort(x, pool.intSort()).isTrue());
}

TEST_CASE("variablesOf and conjunctsOf", "[logic]") {
  TermPool pool;
  Variable x = pool.variable("", "x", pool.intSort());
  Variable y = pool.variable("", "y", pool.intSort());
  Term equal = pool.equal(pool.primed(y), pool.add(pool.var(x), pool.var(y)));
  CHECK(variablesOf(equal) == std::vector<VariableUse>{{x, false}, {y, false}, {y, true}});
  CHECK(equal.hasPrimes());
  CHECK_FALSE(pool.var(x).hasPrimes());
  CHECK(conjunctsOf(equal) == std::vector<Term>{equal});
  CHECK(conjunctsOf(pool.conjunction({equal, pool.boolean(false)})).size() == 2);
}
