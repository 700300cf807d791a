// SPDX-License-Identifier: Apache-2.0
//
// The four families of runs of engine.md, section 4.2, and runs over arrays and random ones. Each
// sequence is checked here again, by formulas built in another way than in the engine.
#include "compose/refine/InterpolateParts.h"
#include "logic/Substitute.h"
#include "tests/logic/RandomTerm.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace understudy;
using namespace understudy::compose::refine;
using namespace understudy::tests;
using logic::Sort;
using logic::TermPool;

namespace {

/// Builds runs.
struct Runs {
  TermPool pool;
  std::vector<Step> steps;

  Variable integer(const std::string &name) { return pool.variable("", name, pool.intSort()); }
  Variable flag(const std::string &name) { return pool.variable("", name, pool.boolSort()); }
  Term n(int64_t value) { return pool.integer(value); }
  Term at(Variable v) { return pool.var(v); }
  Term next(Variable v) { return pool.primed(v); }
  Term plus(Term a, int64_t b) { return pool.add(a, n(b)); }

  void step(std::vector<Term> conjuncts, std::vector<Variable> modified) {
    std::sort(modified.begin(), modified.end());
    steps.push_back({std::move(conjuncts), std::move(modified)});
  }
  void assume(Term condition) { step({condition}, {}); }
  void assign(Variable v, Term value) { step({pool.equal(next(v), value)}, {v}); }
};

/// x after the step, as a formula with an explicit frame: primes are everywhere.
bool holdsAsTriple(TermPool &pool, const std::vector<Term> &before, const Step &step,
                   const std::vector<Term> &after) {
  std::vector<Term> premise = before;
  premise.insert(premise.end(), step.conjuncts.begin(), step.conjuncts.end());
  Term claim = logic::prime(pool.conjunction(after));
  for (const logic::VariableUse &use : logic::variablesOf(claim))
    if (std::find(step.modified.begin(), step.modified.end(), use.variable) == step.modified.end())
      premise.push_back(pool.equal(pool.primed(use.variable), pool.var(use.variable)));
  return logic::solver::isValid(pool.implies(pool.conjunction(premise), claim), {50'000'000, 0}) ==
         true;
}

bool isSequence(TermPool &pool, const std::vector<Step> &steps, const Sequence &sequence) {
  if (sequence.size() != steps.size() + 1 || !sequence.front().empty())
    return false;
  if (sequence.back() != std::vector{pool.boolean(false)})
    return false;
  for (size_t i = 0; i < steps.size(); ++i)
    if (!holdsAsTriple(pool, sequence[i], steps[i], sequence[i + 1]))
      return false;
  return true;
}

size_t distinctPredicates(const Sequence &sequence) {
  std::vector<std::vector<Term>> sorted = sequence;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

/// Relational counters and flags: x grows by at most 1 while a flag is set, which toggles.
void countersAndFlags(Runs &runs) {
  TermPool &pool = runs.pool;
  Variable x = runs.integer("x");
  Variable y = runs.integer("y");
  Variable on = runs.flag("on");
  runs.step(
      {pool.equal(runs.next(x), runs.n(0)), pool.equal(runs.next(y), runs.n(0)), runs.next(on)},
      {x, y, on});
  for (int i = 0; i < 58; ++i)
    if (i % 2 == 0)
      runs.step({runs.at(on), pool.lessEqual(runs.next(x), runs.plus(runs.at(x), 1)),
                 pool.lessEqual(runs.plus(runs.at(y), 1), runs.next(y)),
                 pool.negate(runs.next(on))},
                {x, y, on});
    else
      runs.step({pool.negate(runs.at(on)), pool.lessEqual(runs.next(x), runs.at(x)), runs.next(on)},
                {x, on});
  runs.assume(pool.less(runs.at(y), runs.at(x)));
}

/// Figure 1 of the paper on petrification, unrolled: worker instances 1 and 2 take turns.
void figureOne(Runs &runs) {
  TermPool &pool = runs.pool;
  Variable c = runs.integer("c");
  Variable i = runs.integer("i");
  Variable ids[] = {runs.integer("id1"), runs.integer("id2")};
  runs.step({pool.equal(runs.next(c), runs.n(0)), pool.equal(runs.next(i), runs.n(0))}, {c, i});
  for (size_t round = 0; runs.steps.size() < 50; ++round) {
    Variable mine = ids[round % 2];
    Variable other = ids[(round + 1) % 2];
    runs.assign(mine, runs.at(i));
    runs.assign(c, pool.add(runs.at(c), runs.at(i)));
    runs.assume(pool.lessEqual(runs.at(c), pool.multiply(2, runs.at(i))));
    runs.assign(c, pool.subtract(runs.at(c), runs.at(i)));
    if (round > 0) {
      runs.assume(pool.less(runs.n(0), runs.at(i)));
      runs.assume(pool.equal(runs.at(other), runs.plus(runs.at(i), -1)));
    } else {
      runs.assume(pool.lessEqual(runs.at(i), runs.n(0)));
    }
    runs.assign(i, runs.plus(runs.at(i), 1));
  }
  runs.assign(ids[0], runs.at(i));
  runs.assign(c, pool.add(runs.at(c), runs.at(i)));
  while (runs.steps.size() < 59)
    runs.assume(pool.lessEqual(runs.n(0), runs.at(i)));
  runs.assume(pool.less(pool.multiply(2, runs.at(i)), runs.at(c)));
}

/// Large blocks: each label is "thread 1 or thread 2 does its block", with a lock and its owner.
void disjunctiveBlocks(Runs &runs) {
  TermPool &pool = runs.pool;
  Variable lock = runs.flag("lock");
  Variable owner = runs.integer("owner");
  Variable x = runs.integer("x");
  runs.step({pool.negate(runs.next(lock)), pool.equal(runs.next(owner), runs.n(0)),
             pool.equal(runs.next(x), runs.n(0))},
            {lock, owner, x});
  auto take = [&](int64_t thread) {
    return pool.conjunction({pool.negate(runs.at(lock)), runs.next(lock),
                             pool.equal(runs.next(owner), runs.n(thread)),
                             pool.equal(runs.next(x), runs.plus(runs.at(x), thread))});
  };
  auto release = [&](int64_t thread) {
    return pool.conjunction({runs.at(lock), pool.equal(runs.at(owner), runs.n(thread)),
                             pool.negate(runs.next(lock)), pool.equal(runs.next(owner), runs.n(0)),
                             pool.equal(runs.next(x), runs.plus(runs.at(x), -thread))});
  };
  for (int i = 0; i < 58; ++i)
    if (i % 2 == 0)
      runs.step({pool.disjunction({take(1), take(2)})}, {lock, owner, x});
    else
      runs.step({pool.disjunction({release(1), release(2)})}, {lock, owner, x});
  runs.assume(pool.distinct(runs.at(x), runs.n(0)));
}

/// Ten numbers and labels that are true relations.
void tenNumbers(Runs &runs) {
  TermPool &pool = runs.pool;
  std::vector<Variable> v;
  for (int i = 0; i < 10; ++i)
    v.push_back(runs.integer("v" + std::to_string(i)));
  std::vector<Term> zero;
  for (Variable x : v)
    zero.push_back(pool.equal(runs.next(x), runs.n(0)));
  runs.step(zero, v);
  for (size_t i = 0; i < 58; ++i) {
    Variable a = v[i % 10];
    Variable j = v[(i + 3) % 10];
    runs.step({pool.lessEqual(runs.at(j), runs.next(j)),
               pool.lessEqual(pool.add(runs.next(j), runs.next(a)),
                              runs.plus(pool.add(runs.at(j), runs.at(a)), 1)),
               pool.lessEqual(runs.plus(runs.at(a), -1), runs.next(a))},
              {a, j});
  }
  std::vector<Term> all;
  for (Variable x : v)
    all.push_back(runs.at(x));
  runs.assume(pool.less(runs.n(58), pool.sum(all)));
}

using Family = void (*)(Runs &);

void checkFamily(Family family) {
  Runs runs;
  family(runs);
  REQUIRE(runs.steps.size() == 60);
  std::vector<Interpolants> results = interpolate(runs.pool, runs.steps);
  REQUIRE_FALSE(results.empty());
  for (const Interpolants &result : results) {
    INFO(result.method << ", " << distinctPredicates(result.predicates) << " predicates");
    CHECK(isSequence(runs.pool, runs.steps, result.predicates));
  }
}

} // namespace

TEST_CASE("Interpolation: relational counters and flags, 60 steps") {
  checkFamily(countersAndFlags);
}
TEST_CASE("Interpolation: Figure 1 unrolled, 60 steps") { checkFamily(figureOne); }
TEST_CASE("Interpolation: disjunctive blocks with a lock, 60 steps") {
  checkFamily(disjunctiveBlocks);
}
TEST_CASE("Interpolation: ten numbers, two-state labels, 60 steps") { checkFamily(tenNumbers); }

TEST_CASE("Interpolation: every method on its own gives sequences that hold") {
  struct Expected {
    Family family;
    std::vector<std::string> methods;
  };
  const std::vector<Expected> table = {
      {countersAndFlags, {"weakest", "strongest", "templates", "chain"}},
      {figureOne, {"weakest", "strongest", "templates", "chain"}},
      {disjunctiveBlocks, {"weakest", "strongest", "templates", "chain"}},
      {tenNumbers, {"weakest", "strongest", "chain"}},
  };
  for (const Expected &row : table) {
    Runs runs;
    row.family(runs);
    Effort effort({});
    auto reduced = reduce(runs.pool, runs.steps, effort);
    REQUIRE(reduced);
    for (const std::string &method : row.methods) {
      INFO("family " << (&row - table.data()) + 1 << ", " << method);
      std::optional<Sequence> sequence;
      if (method == "weakest")
        sequence = weakestPreconditions(runs.pool, *reduced, effort);
      else if (method == "strongest")
        sequence = strongestPostconditions(runs.pool, *reduced, effort);
      else if (method == "templates")
        sequence = templates(runs.pool, *reduced, effort);
      else
        sequence = hornChain(runs.pool, *reduced, effort);
      REQUIRE(sequence);
      CHECK(isSequence(runs.pool, runs.steps, *sequence));
    }
  }
}

TEST_CASE("Interpolation: stores into arrays and reads of them") {
  Runs runs;
  TermPool &pool = runs.pool;
  Variable ids = pool.variable("", "ids", pool.arraySort(pool.intSort(), std::nullopt));
  Variable i = runs.integer("i");
  Variable j = runs.integer("j");
  Variable x = runs.integer("x");
  runs.assume(pool.less(runs.at(j), runs.at(i)));
  runs.assign(ids, pool.store(runs.at(ids), runs.at(j), runs.n(5)));
  runs.assign(ids, pool.store(runs.at(ids), runs.at(i), runs.n(7)));
  runs.assign(i, runs.plus(runs.at(i), 1));
  runs.assign(ids, pool.store(runs.at(ids), runs.at(i), runs.n(9)));
  runs.assign(x, pool.select(runs.at(ids), runs.at(j)));
  runs.assume(pool.distinct(runs.at(x), runs.n(5)));
  std::vector<Interpolants> results = interpolate(pool, runs.steps);
  REQUIRE_FALSE(results.empty());
  for (const Interpolants &result : results)
    CHECK(isSequence(pool, runs.steps, result.predicates));
}

TEST_CASE("Interpolation: nothing is returned for a run that is feasible") {
  Runs runs;
  Variable x = runs.integer("x");
  runs.assign(x, runs.n(3));
  runs.assume(runs.pool.less(runs.n(2), runs.at(x)));
  CHECK(interpolate(runs.pool, runs.steps).empty());
  CHECK(interpolate(runs.pool, std::vector<Step>()).empty());
}

namespace {

/// Small runs whose states can be counted.
struct SmallRun {
  TermPool pool;
  std::vector<Variable> variables = {pool.variable("", "p", pool.boolSort()),
                                     pool.variable("", "r", pool.rangeSort(-1, 1)),
                                     pool.variable("T", "s", pool.rangeSort(0, 3))};
  Vocabulary vocabulary;
  std::vector<Step> steps;

  explicit SmallRun(Random &random) {
    vocabulary.constants = {0, 1, -1, 2};
    vocabulary.bools = {pool.var(variables[0]), pool.primed(variables[0])};
    for (size_t i : {size_t{1}, size_t{2}})
      for (Term t : {pool.var(variables[i]), pool.primed(variables[i])})
        vocabulary.integers.push_back(t);
    vocabulary.enums = {};
    for (size_t length = 2 + random.below(4); length > 0; --length)
      steps.push_back(randomStep(random));
  }

  Step randomStep(Random &random) {
    Step step;
    for (size_t count = 1 + random.below(3); count > 0; --count)
      step.conjuncts.push_back(randomConjunct(random));
    for (Variable v : variables)
      if (random.oneIn(4))
        step.modified.push_back(v);
    for (const Term &conjunct : step.conjuncts)
      for (const logic::VariableUse &use : logic::variablesOf(conjunct))
        if (use.primed)
          step.modified.push_back(use.variable);
    std::sort(step.modified.begin(), step.modified.end());
    step.modified.erase(std::unique(step.modified.begin(), step.modified.end()),
                        step.modified.end());
    return step;
  }

  Term randomConjunct(Random &random) {
    Term a = random.pick(vocabulary.integers);
    Term b = random.oneIn(2) ? random.pick(vocabulary.integers)
                             : pool.integer(random.pick(vocabulary.constants));
    if (random.oneIn(3))
      b = pool.add(b, pool.integer(random.between(-1, 1)));
    Term atom = random.oneIn(2) ? pool.equal(a, b) : pool.lessEqual(a, b);
    if (random.oneIn(4))
      return pool.disjunction({atom, random.pick(vocabulary.bools)});
    return random.oneIn(4) ? pool.equal(random.pick(vocabulary.bools), atom) : atom;
  }

  bool isStep(const State &pair, const Step &step) const {
    for (Variable v : variables)
      if (std::find(step.modified.begin(), step.modified.end(), v) == step.modified.end() &&
          pair.at({v, false}) != pair.at({v, true}))
        return false;
    return std::all_of(step.conjuncts.begin(), step.conjuncts.end(), [&](const Term &conjunct) {
      return logic::holds(conjunct, environmentOf(pair));
    });
  }

  std::vector<State> states(bool primed) const {
    std::vector<State> result(1);
    for (Variable v : variables) {
      const auto values = logic::allValues(v.sort(), 10);
      std::vector<State> longer;
      for (const State &state : result)
        for (const logic::Value &value : *values) {
          longer.push_back(state);
          longer.back()[{v, primed}] = value;
        }
      result = std::move(longer);
    }
    return result;
  }
};

bool holdAll(const std::vector<Term> &formulas, const State &state) {
  return std::all_of(formulas.begin(), formulas.end(), [&](const Term &formula) {
    return logic::holds(formula, environmentOf(state));
  });
}

/// The run by counting states: is it feasible, and does each sequence hold along it?
struct Counted {
  const SmallRun &run;
  const std::vector<Interpolants> &results;

  bool isFeasible() {
    std::vector<State> reached = run.states(false);
    for (const Step &step : run.steps) {
      std::vector<State> next;
      for (const State &after : run.states(true))
        if (std::any_of(reached.begin(), reached.end(),
                        [&](const State &before) { return run.isStep(both(before, after), step); }))
          next.push_back(plain(after));
      reached = std::move(next);
    }
    return !reached.empty();
  }

  bool holdsAlong(const Sequence &sequence) {
    for (size_t i = 0; i < run.steps.size(); ++i)
      for (const State &before : run.states(false)) {
        if (!holdAll(sequence[i], before))
          continue;
        for (const State &after : run.states(true))
          if (run.isStep(both(before, after), run.steps[i]) &&
              !holdAll(sequence[i + 1], plain(after)))
            return false;
      }
    return true;
  }

  static State both(State before, const State &after) {
    before.insert(after.begin(), after.end());
    return before;
  }
  static State plain(const State &after) {
    State result;
    for (const auto &[use, value] : after)
      result[{use.variable, false}] = value;
    return result;
  }
};

} // namespace

TEST_CASE("Interpolation: random small runs, by counting states") {
  size_t infeasible = 0;
  size_t refuted = 0;
  for (size_t run = 0; run < runs(1000); ++run) {
    INFO("seed " << seedOf(run));
    Random random(seedOf(run));
    SmallRun small(random);
    std::vector<Interpolants> results = interpolate(small.pool, small.steps);
    Counted counted{small, results};
    bool feasible = counted.isFeasible();
    infeasible += feasible ? 0 : 1;
    refuted += results.empty() ? 0 : 1;
    REQUIRE_FALSE((feasible && !results.empty()));
    for (const Interpolants &result : results) {
      INFO(result.method);
      REQUIRE(result.predicates.back() == std::vector{small.pool.boolean(false)});
      REQUIRE(result.predicates.front().empty());
      REQUIRE(counted.holdsAlong(result.predicates));
    }
  }
  CHECK(infeasible > 0);
  CHECK(refuted == infeasible);
}
