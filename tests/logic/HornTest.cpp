// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Horn.h"

#include "logic/Substitute.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;
using namespace understudy::logic::solver;

namespace {

/// x counts from 0 to `last`; the error is derivable from `bad`.
struct Counting {
  TermPool pool;
  Variable vx;
  Term x;
  HornSolver horn;
  PredicateId loop;
  PredicateId error;

  explicit Counting(Sort (*sort)(TermPool &), SolverLimits limits = {})
      : vx(pool.variable("", "x", sort(pool))), x(pool.var(vx)), horn(pool, limits),
        loop(horn.declare({vx})), error(horn.declare({})) {}

  Term n(int64_t value) { return pool.integer(value); }
  void startAt(int64_t value) { horn.add(std::nullopt, {pool.equal(x, n(value))}, {loop, {x}}); }
  void stepIf(Term condition, Term next) {
    horn.add(HornAtom{loop, {x}}, {condition}, {loop, {next}});
  }
  void failIf(Term condition) { horn.add(HornAtom{loop, {x}}, {condition}, {error, {}}); }
  bool excludes(Term solution, Term bad) {
    return isValid(pool.negate(pool.conjunction({solution, bad}))) == true;
  }
};

Sort integers(TermPool &pool) { return pool.intSort(); }
Sort small(TermPool &pool) { return pool.rangeSort(0, 5); }

} // namespace

TEST_CASE("Horn clauses: a bound is found and solves the clauses") {
  Counting c(integers);
  c.startAt(0);
  c.stepIf(c.pool.less(c.x, c.n(10)), c.pool.add(c.x, c.n(1)));
  c.failIf(c.pool.less(c.n(10), c.x));
  REQUIRE(c.horn.query(c.error) == Satisfiability::Unsat);
  auto solution = c.horn.solution(c.loop);
  REQUIRE(solution);
  Term next = substitute(*solution, [&](Variable, bool) { return c.pool.add(c.x, c.n(1)); });
  CHECK(isValid(c.pool.implies(c.pool.equal(c.x, c.n(0)), *solution)) == true);
  CHECK(isValid(c.pool.implies(c.pool.conjunction({*solution, c.pool.less(c.x, c.n(10))}), next)) ==
        true);
  CHECK(c.excludes(*solution, c.pool.less(c.n(10), c.x)));
}

TEST_CASE("Horn clauses: a derivation names every fact") {
  Counting c(integers);
  c.startAt(0);
  c.stepIf(c.pool.less(c.x, c.n(10)), c.pool.add(c.x, c.n(1)));
  c.failIf(c.pool.equal(c.x, c.n(7)));
  REQUIRE(c.horn.query(c.error) == Satisfiability::Sat);
  auto facts = c.horn.derivation();
  REQUIRE(facts);
  REQUIRE(facts->size() == 9);
  for (int64_t i = 0; i < 8; ++i) {
    CHECK((*facts)[i].predicate == c.loop);
    CHECK((*facts)[i].arguments == std::vector<Value>{Value(i)});
  }
  CHECK(facts->back().predicate == c.error);
}

TEST_CASE("Horn clauses: variables range over their sorts") {
  Counting c(small);
  c.startAt(0);
  Variable next = c.pool.variable("", "next", c.pool.rangeSort(0, 5));
  c.stepIf(c.pool.equal(c.pool.var(next), c.pool.add(c.x, c.n(1))), c.pool.var(next));
  c.failIf(c.pool.less(c.n(5), c.x));
  CHECK(c.horn.query(c.error) == Satisfiability::Unsat);
}

TEST_CASE("Horn clauses: predicates that no clause derives are false") {
  Counting c(integers);
  c.stepIf(c.pool.boolean(true), c.pool.add(c.x, c.n(1)));
  c.failIf(c.pool.boolean(true));
  REQUIRE(c.horn.query(c.error) == Satisfiability::Unsat);
  auto solution = c.horn.solution(c.loop);
  REQUIRE(solution);
  CHECK(isValid(c.pool.negate(*solution)) == true);
}

TEST_CASE("Horn clauses: solutions speak of enums and remainders") {
  TermPool pool;
  Sort mode = pool.enumSort("Mode", {{"idle", 0}, {"busy", 4}});
  Variable vm = pool.variable("", "m", mode);
  Variable vx = pool.variable("", "x", pool.intSort());
  Term m = pool.var(vm);
  Term x = pool.var(vx);
  Term idle = pool.enumerator(mode, 0);
  Term busy = pool.enumerator(mode, 4);
  HornSolver horn(pool);
  PredicateId loop = horn.declare({vm, vx});
  PredicateId error = horn.declare({});
  horn.add(std::nullopt, {pool.equal(m, idle), pool.equal(x, pool.integer(0))}, {loop, {m, x}});
  horn.add(HornAtom{loop, {m, x}}, {pool.equal(m, idle)},
           {loop, {busy, pool.add(x, pool.integer(1))}});
  horn.add(HornAtom{loop, {m, x}}, {pool.equal(m, busy)},
           {loop, {idle, pool.add(x, pool.integer(1))}});
  Term odd = pool.equal(pool.remainder(x, 2), pool.integer(1));
  horn.add(HornAtom{loop, {m, x}}, {pool.equal(m, idle), odd}, {error, {}});
  Satisfiability answer = horn.query(error);
  CHECK(answer != Satisfiability::Sat);
  if (answer == Satisfiability::Unsat) {
    auto solution = horn.solution(loop);
    REQUIRE(solution);
    CHECK(isValid(pool.negate(pool.conjunction({*solution, pool.equal(m, idle), odd}))) == true);
  }
}

TEST_CASE("Horn clauses: limits end in unknown with the reason") {
  auto hard = [](Counting &c) {
    // Needs a fact about powers of two that linear arithmetic does not have.
    c.startAt(1);
    c.stepIf(c.pool.boolean(true), c.pool.multiply(2, c.x));
    c.failIf(c.pool.equal(c.pool.remainder(c.x, 3), c.n(0)));
    return c.horn.query(c.error);
  };
  Counting resources(integers, {.resources = 1000, .seconds = 0});
  CHECK(hard(resources) == Satisfiability::Unknown);
  CHECK(resources.horn.reasonUnknown() == "resource limit");
  Counting seconds(integers, {.resources = 0, .seconds = 0.05});
  if (hard(seconds) == Satisfiability::Unknown)
    CHECK(seconds.horn.reasonUnknown() == "time limit");
}
