// SPDX-License-Identifier: Apache-2.0
#include "logic/Error.h"
#include "logic/Value.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;

namespace {

struct Fixture {
  TermPool pool;
  Variable x = pool.variable("", "x", pool.intSort());
  Variable a = pool.variable("", "a", pool.arraySort(pool.intSort(), std::nullopt));
  Term overflow = pool.equal(pool.add(pool.integer(INT64_MAX), pool.integer(1)), pool.integer(0));

  Value at(Term term, int64_t before, int64_t after = 0) {
    return evaluate(term, [=](Variable, bool primed) { return Value(primed ? after : before); });
  }
};

} // namespace

TEST_CASE_METHOD(Fixture, "evaluate: division truncates as in C", "[logic]") {
  for (int64_t value : {-7, -6, -1, 0, 1, 6, 7}) {
    CHECK(at(pool.divide(pool.var(x), 3), value) == Value(value / 3));
    CHECK(at(pool.remainder(pool.var(x), 3), value) == Value(value % 3));
  }
  CHECK(at(pool.divide(pool.integer(-7), 2), 0) == Value(-3));
  CHECK(at(pool.remainder(pool.integer(-7), 2), 0) == Value(-1));
}

TEST_CASE_METHOD(Fixture, "evaluate: connectives stop early", "[logic]") {
  Term yes = pool.equal(pool.var(x), pool.integer(1));
  Term no = pool.negate(yes);
  CHECK(at(pool.conjunction({no, overflow}), 1) == Value(0));
  CHECK(at(pool.disjunction({yes, overflow}), 1) == Value(1));
  CHECK(at(pool.implies(no, overflow), 1) == Value(1));
  CHECK(at(pool.ite(yes, yes, overflow), 1) == Value(1));
  CHECK_THROWS_AS(at(pool.conjunction({overflow, no}), 1), Overflow);
  CHECK_THROWS_AS(at(pool.conjunction({yes, overflow}), 1), Overflow);
}

TEST_CASE_METHOD(Fixture, "evaluate: overflow is an exception, not a wrong number", "[logic]") {
  Term next = pool.add(pool.var(x), pool.integer(1));
  CHECK(at(next, INT64_MAX - 1) == Value(INT64_MAX));
  CHECK_THROWS_AS(at(next, INT64_MAX), Overflow);
  CHECK_THROWS_AS(at(pool.multiply(2, pool.var(x)), INT64_MAX / 2 + 1), Overflow);
  CHECK_THROWS_AS(at(pool.multiply(-1, pool.var(x)), INT64_MIN), Overflow);
  CHECK_THROWS_WITH(at(next, INT64_MAX), "a value leaves the range of 64-bit integers");
}

TEST_CASE_METHOD(Fixture, "evaluate: before and after", "[logic]") {
  Term step = pool.equal(pool.primed(x), pool.add(pool.var(x), pool.integer(1)));
  CHECK(at(step, 4, 5) == Value(1));
  CHECK(at(step, 4, 6) == Value(0));
}

TEST_CASE_METHOD(Fixture, "evaluate: arrays", "[logic]") {
  Value array(ArrayValue{0, {{1, 7}}});
  Environment environment = [&](Variable, bool) { return array; };
  Term stored = pool.store(pool.var(a), pool.integer(2), pool.integer(9));
  CHECK(evaluate(pool.select(stored, pool.integer(2)), environment) == Value(9));
  CHECK(evaluate(pool.select(stored, pool.integer(1)), environment) == Value(7));
  CHECK(evaluate(pool.select(stored, pool.integer(5)), environment) == Value(0));
  CHECK(evaluate(pool.store(pool.var(a), pool.integer(1), pool.integer(0)), environment) ==
        Value(ArrayValue{0, {}}));
  Sort fixed = pool.arraySort(pool.intSort(), 2);
  CHECK(evaluate(pool.constArray(fixed, pool.integer(5)), environment) ==
        Value(ArrayValue{0, {{0, 5}, {1, 5}}}));
}

TEST_CASE_METHOD(Fixture, "values as text", "[logic]") {
  Sort mode = pool.enumSort("Mode", {{"idle", 0}, {"busy", 4}});
  CHECK(valueText(1, pool.boolSort()) == "true");
  CHECK(valueText(-3, pool.intSort()) == "-3");
  CHECK(valueText(4, mode) == "busy");
  CHECK(valueText(Value(ArrayValue{0, {{0, 1}}}), pool.arraySort(pool.boolSort(), 3)) ==
        "[true, false, false]");
  CHECK(valueText(Value(ArrayValue{0, {{0, 5}}}), a.sort()) == "[0: 5, otherwise 0]");
  CHECK(defaultValue(pool.rangeSort(2, 5)) == Value(2));
  CHECK(defaultValue(pool.rangeSort(-2, 5)) == Value(0));
}
