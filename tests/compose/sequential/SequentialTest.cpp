// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Sequential.h"

#include "compose/Interpreter.h"
#include "compose/exploration/Explicit.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::exploration;
using namespace understudy::compose::sequential;

namespace {

using Boxes = SequentialOptions::Boxes;

SequentialResult verify(const Program &program, Boxes boxes = Boxes::On) {
  SequentialOptions options;
  options.resources = 50'000'000;
  options.boxes = boxes;
  SequentialResult result = verifySequential(program, options);
  CHECK(result.verdict.engine == compose::EngineName::Sequential);
  CHECK(result.verdict.trace.has_value() == (result.verdict.answer == Answer::Unsafe));
  CHECK(result.verdict.reason.empty() == (result.verdict.answer != Answer::Unknown));
  if (result.verdict.trace)
    CHECK(replay(program, *result.verdict.trace).value_or("replays") == "replays");
  return result;
}

Answer answer(const std::string &text, Boxes boxes) {
  SequentialResult result = verify(tests::compileConc(text).program, boxes);
  INFO(result.verdict.reason);
  return result.verdict.answer;
}

void checkBoth(const std::string &text, Answer expected) {
  INFO(text);
  CHECK(answer(text, Boxes::On) == expected);
  CHECK(answer(text, Boxes::Off) == expected);
}

/// Thread A of Figure 2 of Abstract Threads against A# of Figure 3: X1 and X2 say in which states
/// A# can be, the environment changes g between the steps.
std::string figures(const std::string &start) {
  return R"(
global int g;
global int old = 0;
global bool X1 = true;
global bool X2 = false;
initially g > 0;
thread main {
  local int x;
  x := )" +
         start + R"(;
  while (*) {
    havoc g;
    assume !X1 || g > 0;
    if (*) { x := g; } else { x := x + 1; }
  }
  havoc g;
  assume !X1 || g > 0;
  old := g;
  g := x;
  atomic {
    X2 := (X2 && g == old) || (X1 && g > 0);
    X1 := X1 && g == old;
  }
  assert X1 || X2;
}
)";
}

} // namespace

TEST_CASE("sequential: Figures 2 and 3 of Abstract Threads") {
  checkBoth(figures("1"), Answer::Safe);
  checkBoth(figures("-1"), Answer::Unsafe);
}

TEST_CASE("sequential: a loop that needs a relation between variables") {
  const std::string head = "thread main { local int x = 0; local int y = 0;";
  checkBoth(head + "while (*) { x := x + 1; y := y + 2; } assert y == 2 * x; }", Answer::Safe);
  checkBoth(head + "while (*) { x := x + 1; y := y + 2; } assert y != 6; }", Answer::Unsafe);
}

TEST_CASE("sequential: the shortest counterexample is found") {
  Program program = tests::compileConc(R"(
thread main {
  local int x = 0;
  while (*) { x := x + 1; }
  assert x != 2;
})")
                        .program;
  SequentialResult result = verify(program);
  REQUIRE(result.verdict.trace);
  const Trace &trace = *result.verdict.trace;
  CHECK(trace.failure.kind == FailureKind::Assertion);
  CHECK(trace.end().threads.at(0).locals.at(0) == Value(2));
  const Verdict shortest = verifyExplicit(program, {});
  REQUIRE(shortest.trace);
  CHECK(trace.steps.size() == shortest.trace->steps.size());
}

TEST_CASE("sequential: a counterexample of many rounds") {
  Program program = tests::compileConc(R"(
thread main {
  local int i = 0;
  local int s = 0;
  while (i < 40) { i := i + 1; s := s + i; }
  assert s < 820;
})")
                        .program;
  for (Boxes boxes : {Boxes::On, Boxes::Off}) {
    SequentialResult result = verify(program, boxes);
    REQUIRE(result.verdict.answer == Answer::Unsafe);
    CHECK(result.verdict.trace->end().threads.at(0).locals.at(1) == Value(820));
  }
}

TEST_CASE("sequential: nested loops, jumps and several assertions") {
  checkBoth(R"(
thread main {
  local int 0..20 i = 0;
  local int 0..20 j = 0;
  while (i < 10) {
    j := 0;
    while (j < i) { j := j + 1; }
    assert j == i;
    i := i + 1;
  }
  assert i == 10;
})",
            Answer::Safe);
}

TEST_CASE("sequential: invariants come with loops only") {
  Program loop = tests::compileConc(R"(
thread main { local int x = 0; while (x < 5) { x := x + 1; } assert x == 5; })")
                     .program;
  CHECK(verify(loop).invariants.size() == 1);
  CHECK(verify(loop, Boxes::Off).invariants.size() == 1);
  Program straight = tests::compileConc(R"(
thread main { local int x; if (x > 3) { x := 3; } assert x <= 3; })")
                         .program;
  CHECK(verify(straight).verdict.answer == Answer::Safe);
  CHECK(verify(straight).invariants.empty());
}

TEST_CASE("sequential: what does not matter is left out") {
  Program program = tests::compileConc(R"(
thread main {
  local int x = 0;
  local int y = 0;
  while (*) { y := y + 1; }
  assert x == 0;
})")
                        .program;
  SequentialResult result = verify(program, Boxes::Off);
  REQUIRE(result.verdict.answer == Answer::Safe);
  for (const LocationInvariant &invariant : result.invariants)
    for (const logic::VariableUse &use : logic::variablesOf(invariant.formula))
      CHECK(use.variable.name() == "x");
}

TEST_CASE("sequential: ranges of variables block steps") {
  checkBoth("thread main { local int 0..3 x = 0; while (*) { x := x + 1; } }", Answer::Unsafe);
  checkBoth("global int 0..3 g; thread main { while (*) { havoc g; } assert g <= 3; }",
            Answer::Safe);
}

TEST_CASE("sequential: numbers beyond 64 bits are unknown") {
  SequentialResult result = verify(tests::compileConc(R"(
thread main {
  local int x = 3;
  while (x < 9000000000000000000) { x := 3 * x; }
  assert x < 0;
})")
                                       .program);
  CHECK(result.verdict.answer == Answer::Unknown);
}

TEST_CASE("sequential: what is out of scope is unknown") {
  auto reason = [](const std::string &text) {
    return verify(tests::compileConc(text).program).verdict.reason;
  };
  CHECK(reason("thread T { skip; } thread main { fork 1 T(); }") ==
        "the sequential engine does not support fork and join");
  CHECK(reason("global int g = 0; thread main { skip; } invariant g == 0;") ==
        "the sequential engine does not support invariants");
  CHECK(reason("thread main { skip; } run main * 2;") ==
        "the sequential engine needs exactly one thread");
}

TEST_CASE("sequential: a program that cannot start is unknown") {
  Program program = tests::compileConc("global int g; thread main { assert g == 0; }").program;
  program.initial = program.pool->boolean(false);
  CHECK(verify(program).verdict.reason ==
        "no initial state satisfies the initial values and conditions");
}

TEST_CASE("sequential: limits end in unknown with the reason") {
  Program program = tests::compileConc(R"(
thread main {
  local int x = 1;
  while (*) { x := 2 * x; }
  assert x % 3 != 0;
})")
                        .program;
  SequentialOptions options;
  options.resources = 1000;
  CHECK(verifySequential(program, options).verdict.reason == "Spacer gave up: resource limit");
}

namespace {

/// A loop whose proof needs a remainder, which the engine does not find by itself.
Program remainderLoop() {
  return tests::compileConc(R"(
thread main {
  local int i = 0;
  while (*) { i := i + 3; }
  assert i % 3 == 0;
})")
      .program;
}

SequentialResult verifyStating(const Program &program, int64_t divisor) {
  logic::TermPool &pool = *program.pool;
  Term i = pool.var(program.templates[0].locals[0]);
  Term formula = pool.equal(pool.remainder(i, divisor), pool.integer(0));
  SequentialOptions options;
  options.resources = 20'000'000;
  options.maxSeconds = 20;
  options.stated = {{program.templates[0].initials[0], formula}};
  for (LocationId l = 0; l < program.templates[0].locations.size(); ++l)
    if (l != program.templates[0].initials[0])
      options.stated.push_back({l, formula});
  return verifySequential(program, options);
}

} // namespace

TEST_CASE("sequential: a stated invariant is used when it is one") {
  Program program = remainderLoop();
  SequentialResult result = verifyStating(program, 3);
  INFO(result.verdict.reason);
  CHECK(result.verdict.answer == Answer::Safe);
  CHECK(std::count(result.confirmed.begin(), result.confirmed.end(), true) == 1);
}

TEST_CASE("sequential: a stated invariant that is none has no influence") {
  Program program = remainderLoop();
  SequentialResult result = verifyStating(program, 6);
  CHECK(result.verdict.answer != Answer::Unsafe);
  CHECK(std::count(result.confirmed.begin(), result.confirmed.end(), true) == 0);
  Program wrong = tests::compileConc(R"(
thread main {
  local int i = 0;
  while (*) { i := i + 3; }
  assert i < 5;
})")
                      .program;
  CHECK(verifyStating(wrong, 6).verdict.answer == Answer::Unsafe);
}
