// SPDX-License-Identifier: Apache-2.0
//
// The parts of the sequential engine on their own: what checks must refuse, and what intervals must
// contain.
#include "compose/sequential/SequentialParts.h"
#include "compose/Interpreter.h"
#include "compose/sequential/Abstract.h"
#include "compose/sequential/Boxes.h"
#include "compose/sequential/Scalarise.h"
#include "logic/smtlib/Print.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::sequential;

namespace {

struct Loop {
  Program program = tests::compileConc(R"(
thread main {
  local int x = 0;
  while (x < 5) { x := x + 1; }
  assert x == 5;
})")
                        .program;
  FlowTables tables;
  Flow flow = makeFlow(program, FlowDetail::All, tables);
  SequentialOptions options;
  Budget budget{options};
  Term x = program.pool->var(program.templates[0].locals[0]);

  NodeId head() const {
    std::vector<NodeId> cuts = cutsOf(flow);
    REQUIRE(cuts.size() == 3);
    return cuts.back();
  }
  std::string check(Term invariant) {
    return recheck(flow, {{head(), invariant}}, budget).value_or("holds");
  }
};

} // namespace

TEST_CASE("re-check: inductive invariants that exclude the error pass, others do not") {
  Loop loop;
  logic::TermPool &pool = *loop.program.pool;
  const std::string failed = "an invariant failed its re-check";
  CHECK(loop.check(pool.lessEqual(loop.x, pool.integer(5))) == "holds");
  CHECK(loop.check(pool.lessEqual(loop.x, pool.integer(6))) == failed); // the error is possible
  CHECK(loop.check(pool.lessEqual(loop.x, pool.integer(4))) == failed); // not preserved
  CHECK(loop.check(pool.equal(loop.x, pool.integer(5))) == failed);     // not true at the start
  CHECK(loop.check(pool.boolean(false)) == failed);
  CHECK(recheck(loop.flow, {}, loop.budget).value_or("holds") == failed);
}

TEST_CASE("boxes: a loop's bound is found") {
  Loop loop;
  FlowTables tables;
  Flow flow = makeFlow(loop.program, FlowDetail::Needed, tables);
  auto boxes = computeBoxes(flow, loop.budget);
  REQUIRE(boxes);
  CHECK(boxes->excludesError);
  CHECK(logic::smtlib::text(formulaOf(flow, *boxes, loop.head())) == "x >= 0 && x <= 5");
}

TEST_CASE("boxes: numbers that are equal are known to be") {
  Program program = tests::compileConc(R"(
global int g;
thread main {
  local int x;
  local bool b = false;
  while (*) { havoc g; x := g; b := x == g; assert b; }
})")
                        .program;
  SequentialOptions options;
  Budget budget(options);
  FlowTables tables;
  auto boxes = computeBoxes(makeFlow(program, FlowDetail::Needed, tables), budget);
  REQUIRE(boxes);
  CHECK(boxes->excludesError);
}

namespace {

std::optional<Boxes> boxesOf(const Program &program) {
  SequentialOptions options;
  Budget budget(options);
  FlowTables tables;
  return computeBoxes(makeFlow(program, FlowDetail::Needed, tables), budget);
}

} // namespace

TEST_CASE("boxes: a choice that is decided is looked through") {
  // x + 1 as C computes it
  const std::string claim = "b := (x <= 2147483646 ? x + 1 : x - 4294967295) == x + 1; assert b;";
  auto verify = [&](const std::string &range) {
    Program program =
        tests::compileConc("thread main { local int " + range + " x; local bool b; " + claim + " }")
            .program;
    SequentialOptions options;
    Budget budget(options);
    FlowTables tables;
    auto boxes = computeBoxes(makeFlow(program, FlowDetail::Needed, tables), budget);
    REQUIRE(boxes);
    CHECK((budget.queries() == 0) == boxes->excludesError); // where it holds, nobody is asked
    return boxes->excludesError;
  };
  CHECK(verify("0..9"));
  CHECK(verify("-2147483648..2147483646"));
  CHECK(!verify("0..2147483647"));
}

TEST_CASE("boxes: what is equal has the same bounds, also when one of them is gone") {
  Program program = tests::compileConc(R"(
thread main {
  local int 3..5 x;
  local int y;
  y := x;
  havoc x;
  assert y >= 3 && y <= 5;
})")
                        .program;
  auto boxes = boxesOf(program);
  REQUIRE(boxes);
  CHECK(boxes->excludesError);
}

TEST_CASE("boxes: the solver is asked about the edge that only an error follows") {
  // Twice a number is not odd: intervals do not know.
  Program program = tests::compileConc(R"(
thread main {
  local int 0..9 x;
  if (2 * x == 5) { skip; skip; assert false; }
  assert x >= 0;
})")
                        .program;
  auto boxes = boxesOf(program);
  REQUIRE(boxes);
  CHECK(boxes->excludesError);
  size_t reached = 0; // neither "skip" is
  for (const auto &at : boxes->at)
    reached += at.empty() ? 0 : 1;
  CHECK(boxes->failures.empty());
  CHECK(reached < program.templates[0].locations.size());
}

TEST_CASE("stretches: every node between two heads has one predecessor, and chains are short") {
  Program program = tests::compileConc(R"(
thread main {
  local int x;
  local int y = 0;
  while (x > 0) {
    if (y > 3) { y := 0; } else { if (x > 7) { y := y + 1; } }
    skip; skip; skip; skip; skip; skip; skip; skip; skip; skip; skip; skip; skip; skip;
    x := x - 1;
    assert y <= 4;
  }
})")
                        .program;
  FlowTables tables;
  Flow flow = makeFlow(program, FlowDetail::Needed, tables);
  const std::vector<NodeId> heads = stretchHeads(flow);
  Flow cut = withCuts(flow, heads);
  for (NodeId node = firstLocation; node < flow.nodes(); ++node) {
    if (flow.out[node].empty())
      continue;
    CHECK((cut.cut[node] || flow.in[node].size() == 1));
    CHECK((!flow.cut[node] || cut.cut[node]));
    CHECK(nodesAfter(cut, node).size() <= 10); // 5 in a chain, a branch on the way
  }
  for (NodeId source : cutsOf(cut))
    for (NodeId target : nextCuts(cut, source))
      for (NodeId node : nodesBetween(cut, source, target))
        CHECK(!cut.cut[node]);
}

TEST_CASE("intervals contain what division and remainder give") {
  for (int lower = -7; lower <= 7; ++lower)
    for (int upper = lower; upper <= 7; ++upper)
      for (int divisor = 1; divisor <= 4; ++divisor)
        for (int value = lower; value <= upper; ++value) {
          Interval interval{lower, upper};
          CHECK(interval.dividedBy(divisor).contains(Interval::point(value / divisor)));
          CHECK(interval.remainderBy(divisor).contains(Interval::point(value % divisor)));
          CHECK(interval.times(-divisor).contains(Interval::point(-divisor * value)));
        }
}

TEST_CASE("arrays of fixed size become variables and come back in traces") {
  Program program = tests::compileConc(R"(
global int 0..3[3] a = 1;
thread main {
  local int 0..2 i;
  a[i] := 3;
  assert a[2] != 3;
})")
                        .program;
  SequentialOptions options;
  Budget budget(options);
  auto scalarised = scalarise(program, budget);
  REQUIRE(scalarised);
  CHECK(scalarised->program.globals.size() == 3);
  SequentialResult result = verifySequential(program, options);
  REQUIRE(result.verdict.answer == Answer::Unsafe);
  CHECK(replay(program, *result.verdict.trace).value_or("replays") == "replays");
  const Configuration &end = result.verdict.trace->end();
  CHECK(logic::valueText(end.globals.at(0), program.globals[0].sort()) == "[1, 1, 3]");
}

TEST_CASE("arrays stay if a step may use an index outside") {
  Program program =
      tests::compileConc("global int 0..3[3] a = 1; thread main { a[0] := 2; }").program;
  logic::TermPool &pool = *program.pool;
  Variable array = program.globals[0];
  for (Edge &edge : program.templates[0].edges)
    if (!edge.modified.empty())
      edge.relation = pool.equal(pool.primed(array),
                                 pool.store(pool.var(array), pool.integer(7), pool.integer(0)));
  SequentialOptions options;
  Budget budget(options);
  CHECK(!scalarise(program, budget));
}
