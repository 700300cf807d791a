// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Solver.h"

#include "logic/smtlib/Print.h"
#include "tests/logic/RandomTerm.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <thread>

using namespace understudy::logic;
using namespace understudy::logic::smtlib;
using namespace understudy::logic::solver;
using namespace understudy::tests;

namespace {

/// n + 1 pigeons in n holes: unsatisfiable, and resolution needs exponentially many steps.
std::vector<Term> pigeonhole(TermPool &pool, int holes) {
  auto sits = [&](int pigeon, int hole) {
    return pool.var(pool.variable("", "p" + std::to_string(pigeon) + "_" + std::to_string(hole),
                                  pool.boolSort()));
  };
  std::vector<Term> clauses;
  for (int i = 0; i <= holes; ++i) {
    std::vector<Term> somewhere;
    for (int j = 0; j < holes; ++j)
      somewhere.push_back(sits(i, j));
    clauses.push_back(pool.disjunction(somewhere));
    for (int other = 0; other < i; ++other)
      for (int j = 0; j < holes; ++j)
        clauses.push_back(pool.negate(pool.conjunction({sits(i, j), sits(other, j)})));
  }
  return clauses;
}

void addAll(Solver &solver, const std::vector<Term> &terms) {
  for (const Term &t : terms)
    solver.add(t);
}

double secondsOf(const std::function<void()> &action) {
  auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Fixture {
  TermPool pool;
  Variable vr = pool.variable("", "r", pool.rangeSort(0, 3));
  Term r = pool.var(vr);
  Term x = pool.var(pool.variable("", "x", pool.intSort()));
  Term n(int64_t value) { return pool.integer(value); }
};

/// The solver on a formula against all its assignments.
void checkAgainstAllStates(size_t run, Arrays arrays) {
  uint64_t seed = seedOf(run);
  Random random(seed);
  TermPool pool;
  Vocabulary vocabulary = smallVocabulary(pool, arrays);
  RandomTerm generator(pool, vocabulary, random);
  Term formula = pool.conjunction({generator.boolean(3), generator.boolean(3)});
  INFO("seed " << seed << ": " << text(formula));
  Solver solver(pool);
  solver.add(formula);
  Satisfiability result = solver.check();
  REQUIRE(result != Satisfiability::Unknown);
  size_t satisfying = 0;
  for (const State &state : allStates(vocabulary))
    satisfying += holds(formula, environmentOf(state)) ? 1 : 0;
  REQUIRE((result == Satisfiability::Sat) == (satisfying > 0));
  if (result == Satisfiability::Unsat)
    return;
  Model model = solver.model();
  for (const VariableUse &use : variablesOf(formula))
    REQUIRE(model.valueOf(use.variable, use.primed));
  REQUIRE(holds(formula, [&](Variable v, bool primed) { return *model.valueOf(v, primed); }));
  for (const auto &[use, value] : model.values)
    if (auto values = use.variable.sort().values())
      REQUIRE(std::count(values->begin(), values->end(), value.number()) == 1);
}

} // namespace

TEST_CASE_METHOD(Fixture, "solver: variables keep to their ranges in every scope", "[logic]") {
  Solver solver(pool);
  Term outside = pool.less(n(3), r);
  solver.push();
  solver.add(outside);
  CHECK(solver.check() == Satisfiability::Unsat);
  solver.pop();
  CHECK(solver.check() == Satisfiability::Sat);
  solver.add(outside);
  CHECK(solver.check() == Satisfiability::Unsat);
  CHECK_THROWS_AS(solver.pop(), std::logic_error);
}

TEST_CASE_METHOD(Fixture, "solver: ranges of primed variables, enums and array elements",
                 "[logic]") {
  Sort mode = pool.enumSort("Mode", {{"idle", 0}, {"busy", 4}});
  Term m = pool.var(pool.variable("", "m", mode));
  Term idle = pool.enumerator(mode, 0);
  Term busy = pool.enumerator(mode, 4);
  CHECK(isValid(pool.lessEqual(pool.primed(vr), n(3))) == true);
  CHECK(isValid(pool.disjunction({pool.equal(m, idle), pool.equal(m, busy)})) == true);
  CHECK(isValid(pool.equal(m, idle)) == false);
  for (std::optional<int64_t> size : {std::optional<int64_t>(3), std::optional<int64_t>(100),
                                      std::optional<int64_t>(100000), std::optional<int64_t>()}) {
    Sort sort = pool.arraySort(pool.rangeSort(1, 2), size);
    Term a = pool.var(pool.variable("", "a", sort));
    CHECK(isValid(pool.less(n(0), pool.select(a, n(2)))) == true);
    CHECK(isValid(pool.less(n(1), pool.select(a, n(2)))) == false);
  }
}

TEST_CASE_METHOD(Fixture, "solver: division truncates as in C", "[logic]") {
  for (int64_t value : {-7, -6, -5, -1, 0, 1, 5, 6, 7}) {
    CHECK(isValid(pool.equal(pool.divide(n(value), 3), n(value / 3))) == true);
    CHECK(isValid(pool.equal(pool.remainder(n(value), 3), n(value % 3))) == true);
  }
  CHECK(isValid(pool.equal(
            x, pool.add(pool.multiply(3, pool.divide(x, 3)), pool.remainder(x, 3)))) == true);
}

TEST_CASE_METHOD(Fixture, "solver: models", "[logic]") {
  Solver solver(pool);
  Term a = pool.var(pool.variable("", "a", pool.arraySort(pool.intSort(), std::nullopt)));
  solver.add(pool.equal(pool.select(a, n(5)), n(7)));
  solver.add(pool.equal(x, n(INT64_MIN)));
  REQUIRE(solver.check() == Satisfiability::Sat);
  Model model = solver.model();
  CHECK(model.valueOf(a.variable(), false)->array().at(5) == 7);
  CHECK(model.valueOf(x.variable(), false) == Value(INT64_MIN));
  CHECK_FALSE(model.valueOf(x.variable(), true));
  CHECK(model.values.size() == 2);
}

TEST_CASE_METHOD(Fixture, "solver: what depends on the equality of arrays has a value", "[logic]") {
  Term a = pool.var(pool.variable("", "a", pool.arraySort(pool.rangeSort(0, 2), 2)));
  Term p = pool.var(pool.variable("", "p", pool.boolSort()));
  Term formula = pool.equal(p, pool.equal(a, pool.store(a, r, x)));
  Solver solver(pool);
  solver.add(formula);
  REQUIRE(solver.check() == Satisfiability::Sat);
  Model model = solver.model();
  REQUIRE(model.values.size() == 4);
  CHECK(holds(formula, [&](Variable v, bool primed) { return *model.valueOf(v, primed); }));
}

TEST_CASE_METHOD(Fixture, "solver: numbers beyond 64 bits are absent from models", "[logic]") {
  Solver solver(pool);
  Term y = pool.var(pool.variable("", "y", pool.intSort()));
  solver.add(pool.equal(x, pool.add(n(INT64_MAX), n(1))));
  solver.add(pool.equal(y, n(2)));
  REQUIRE(solver.check() == Satisfiability::Sat);
  CHECK_FALSE(solver.model().valueOf(x.variable(), false));
  CHECK(solver.model().valueOf(y.variable(), false) == Value(2));
}

TEST_CASE_METHOD(Fixture, "solver: cores name assumptions", "[logic]") {
  Solver solver(pool);
  solver.add(pool.less(x, n(10)));
  Term harmless = pool.equal(r, n(1));
  Term above = pool.less(n(10), x);
  std::vector<Term> assumptions{harmless, above, harmless};
  CHECK(solver.check(assumptions) == Satisfiability::Unsat);
  CHECK(solver.unsatCore() == std::vector<Term>{above});
  CHECK(solver.check() == Satisfiability::Sat);
  CHECK(solver.check(std::vector<Term>{harmless}) == Satisfiability::Sat);
  CHECK(solver.model().valueOf(vr, false) == Value(1));
  solver.push();
  CHECK(solver.check(std::vector<Term>{pool.less(n(3), r)}) == Satisfiability::Unsat);
  solver.pop();
  CHECK(solver.check(std::vector<Term>{pool.less(n(3), r)}) == Satisfiability::Unsat);
}

TEST_CASE("solver: cores are inconsistent subsets", "[logic][property]") {
  size_t cores = 0;
  for (size_t run = 0; run < runs(1000); ++run) {
    uint64_t seed = seedOf(run);
    INFO("seed " << seed);
    Random random(seed);
    TermPool pool;
    Vocabulary vocabulary = smallVocabulary(pool, Arrays::With);
    RandomTerm generator(pool, vocabulary, random);
    Solver solver(pool);
    Term background = generator.boolean(2);
    solver.add(background);
    std::vector<Term> assumptions;
    for (int i = 0; i < 5; ++i)
      assumptions.push_back(generator.boolean(2));
    if (solver.check(assumptions) != Satisfiability::Unsat)
      continue;
    ++cores;
    std::vector<Term> core = solver.unsatCore();
    for (const Term &t : core)
      REQUIRE(std::count(assumptions.begin(), assumptions.end(), t) > 0);
    Solver again(pool);
    again.add(background);
    addAll(again, core);
    REQUIRE(again.check() == Satisfiability::Unsat);
  }
  CHECK(cores > 0);
}

TEST_CASE("solver: agrees with trying all assignments", "[logic][property]") {
  for (size_t run = 0; run < runs(3000); ++run)
    checkAgainstAllStates(run, Arrays::Without);
}

TEST_CASE("solver: agrees with trying all assignments of arrays", "[logic][property]") {
  for (size_t run = 0; run < runs(1500); ++run)
    checkAgainstAllStates(run, Arrays::With);
}

TEST_CASE("solver: the resource limit stops, and is fresh for every check", "[logic]") {
  TermPool pool;
  Solver solver(pool, {.resources = 100000});
  solver.push();
  addAll(solver, pigeonhole(pool, 12));
  for (int i = 0; i < 3; ++i) {
    CHECK(solver.check() == Satisfiability::Unknown);
    CHECK(solver.reasonUnknown() == "resource limit");
  }
  solver.pop();
  addAll(solver, pigeonhole(pool, 3));
  CHECK(solver.check() == Satisfiability::Unsat);
}

TEST_CASE("solver: the time limit stops, and hits no later check", "[logic]") {
  TermPool pool;
  Solver solver(pool, {.seconds = 0.05});
  solver.push();
  addAll(solver, pigeonhole(pool, 12));
  CHECK(secondsOf([&] { CHECK(solver.check() == Satisfiability::Unknown); }) < 5);
  CHECK(solver.reasonUnknown() == "time limit");
  solver.pop();
  Term p = pool.var(pool.variable("", "p", pool.boolSort()));
  for (int i = 0; i < 200; ++i) {
    solver.push();
    solver.add(p);
    CHECK(solver.check() == Satisfiability::Sat);
    solver.pop();
  }
}

TEST_CASE("solver: another thread interrupts", "[logic]") {
  TermPool pool;
  Solver solver(pool);
  addAll(solver, pigeonhole(pool, 13));
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    solver.interrupt();
  });
  CHECK(secondsOf([&] { CHECK(solver.check() == Satisfiability::Unknown); }) < 5);
  CHECK(solver.reasonUnknown() == "interrupted");
  other.join();
}

TEST_CASE("solver: an interrupt before a check prevents that one only", "[logic]") {
  TermPool pool;
  Solver solver(pool);
  solver.interrupt();
  solver.add(pool.var(pool.variable("", "p", pool.boolSort())));
  solver.push();
  CHECK(solver.check() == Satisfiability::Unknown);
  CHECK(solver.reasonUnknown() == "interrupted");
  CHECK(solver.check() == Satisfiability::Sat);
}

TEST_CASE("solver: interrupts at any moment lose no assertion", "[logic]") {
  TermPool pool;
  Variable x = pool.variable("", "x", pool.rangeSort(0, 3));
  Solver solver(pool);
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      solver.interrupt();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  size_t wrong = 0;
  size_t decided = 0;
  for (int i = 0; i < 300; ++i) {
    solver.push();
    solver.add(pool.less(pool.integer(i % 2 == 0 ? 3 : 2), pool.var(x)));
    Satisfiability expected = i % 2 == 0 ? Satisfiability::Unsat : Satisfiability::Sat;
    Satisfiability result = solver.check();
    decided += result != Satisfiability::Unknown ? 1 : 0;
    wrong += result != Satisfiability::Unknown && result != expected ? 1 : 0;
    solver.pop();
  }
  done = true;
  other.join();
  CHECK(wrong == 0);
  CHECK(decided > 0);
  solver.check();
  CHECK(solver.check() == Satisfiability::Sat);
}
