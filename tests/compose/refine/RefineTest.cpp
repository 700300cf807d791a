// SPDX-License-Identifier: Apache-2.0
#include "compose/refine/Refine.h"

#include "compose/Interpreter.h"
#include "compose/petri/Petrify.h"
#include "compose/refine/ProofCheck.h"
#include "tests/compose/petri/Figure1.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::refine;
using petri::Specification;
using tests::figure1;

namespace {

const char *const gap = R"(
global int g = 0;
thread main {
  g := 0;
  fork 0 w();
  join 0;
  g := 1;
  fork 0 w();
  join 0;
}
thread w {
  local int x;
  assume x == g;
  assert g == 0;
}
)";

constexpr Algorithm algorithms[] = {Algorithm::SafetyFirst, Algorithm::BoundFirst,
                                    Algorithm::Together};

RefineResult verify(const Program &program, Algorithm algorithm, Search search = Search::Unfold,
                    uint32_t maxWidth = 8) {
  RefineOptions options;
  options.algorithm = algorithm;
  options.search = search;
  options.maxWidth = maxWidth;
  RefineResult result = verifyRefine(program, options);
  CHECK(result.verdict.engine == compose::EngineName::Refine);
  CHECK(result.verdict.trace.has_value() == (result.verdict.answer == Answer::Unsafe));
  CHECK(result.verdict.reason.empty() == (result.verdict.answer != Answer::Unknown));
  CHECK(result.proof.empty() == (result.verdict.answer != Answer::Safe));
  if (result.verdict.trace)
    CHECK(replay(program, *result.verdict.trace).value_or("replays") == "replays");
  return result;
}

void checkSafe(const std::string &text, uint32_t width) {
  const Program program = tests::compileConc(text).program;
  for (Algorithm algorithm : algorithms)
    for (Search search : {Search::Unfold, Search::Explore}) {
      INFO(text << " algorithm " << static_cast<int>(algorithm));
      const RefineResult result = verify(program, algorithm, search);
      INFO(result.verdict.reason);
      CHECK(result.verdict.answer == Answer::Safe);
      CHECK(result.verdict.width == width);
    }
}

void checkUnsafe(const std::string &text, uint32_t limit, size_t steps) {
  const Program program = tests::compileConc(text).program;
  for (Algorithm algorithm : algorithms) {
    INFO(text << " algorithm " << static_cast<int>(algorithm));
    const RefineResult result = verify(program, algorithm);
    INFO(result.verdict.reason);
    REQUIRE(result.verdict.answer == Answer::Unsafe);
    if (algorithm == Algorithm::SafetyFirst)
      CHECK(result.limit == limit);
  }
  const RefineResult shortest = verify(program, Algorithm::SafetyFirst, Search::Explore);
  CHECK(shortest.verdict.trace->steps.size() == steps);
}

bool boundHolds(const Program &program, uint32_t limit) {
  RefineOptions options;
  Budget budget(options);
  HoareTriples triples(*program.pool, options.resources, budget);
  Predicates predicates;
  const AbstractionResult result =
      checkSpecification(program, compose::petri::petrify(program, {limit}), Specification::Bound,
                         predicates, triples, budget, {});
  REQUIRE(result.outcome != AbstractionResult::Outcome::Open);
  return result.outcome == AbstractionResult::Outcome::Holds;
}

} // namespace

TEST_CASE("refine: Figure 1 is correct, and its width is 2") { checkSafe(figure1, 2); }

TEST_CASE("refine: the bound specification holds exactly from the width on") {
  const Program program = tests::compileConc(figure1).program;
  CHECK(!boundHolds(program, 1));
  CHECK(boundHolds(program, 2));
  CHECK(boundHolds(program, 3));
}

TEST_CASE("refine: locals of a reused instance are new") { checkUnsafe(gap, 1, 9); }

TEST_CASE("refine: a violation is found at the smallest limit that has it") {
  checkUnsafe("global int n = 0;\n"
              "thread main { fork 0 w(); fork 0 w(); fork 0 w(); }\n"
              "thread w { n := n + 1; assert n < 3; }\n",
              3, 7);
}

TEST_CASE("refine: threads without a bound on their width are not proved") {
  const Program program = tests::compileConc("global int n = 0;\n"
                                             "thread main { while (true) { fork 0 w(); } }\n"
                                             "thread w { n := n + 1; assert n > 0; }\n")
                              .program;
  for (Algorithm algorithm : algorithms) {
    const RefineResult result = verify(program, algorithm, Search::Unfold, 3);
    CHECK(result.verdict.answer == Answer::Unknown);
    CHECK(result.verdict.reason == "more than 3 threads of one kind may be alive at once; "
                                   "--max-width sets the limit");
    CHECK(result.limit == 3);
  }
}

TEST_CASE("refine: fresh ids differ from those alive") {
  checkSafe("thread main {\n"
            "  local int a = 0;\n"
            "  local int b = 0;\n"
            "  a := fork w();\n"
            "  b := fork w();\n"
            "  assert a != b;\n"
            "}\n"
            "thread w { skip; }\n",
            2);
}

TEST_CASE("refine: a join of an id that nobody has waits for ever") {
  checkSafe("global bool passed = false;\n"
            "thread main { fork 1 w(); join 2; passed := true; assert false; }\n"
            "thread w { skip; }\n",
            1);
}

TEST_CASE("refine: threads of the start have no id, and join by template takes them") {
  checkSafe("thread main { join 0; assert false; }\nthread w { skip; }\nrun main, w;\n", 1);
  checkUnsafe("thread main { join w; assert false; }\nthread w { skip; }\nrun main, w;\n", 1, 3);
}

TEST_CASE("refine: a signal that nobody hears is lost, a broadcast wakes all") {
  checkUnsafe("global cond c;\nglobal int n = 0;\n"
              "thread main { broadcast c; assert n < 2; }\n"
              "thread w { n := n + 1; wait c; }\n"
              "run main, w * 2;\n",
              1, 4);
  checkSafe("global cond c;\nglobal bool sent = false;\n"
            "thread main { sent := true; signal c; }\n"
            "thread w { wait c; assert sent; }\n"
            "run main, w;\n",
            1);
}

TEST_CASE("refine: invariants, of the start too") {
  checkUnsafe("global int n;\nthread main { skip; }\ninvariant n > 0;\n", 1, 0);
  checkUnsafe("global int n = 1;\nthread main { n := n - 1; }\ninvariant n > 0;\n", 1, 1);
  checkSafe("global int n = 1;\nthread main { n := n + 1; }\ninvariant n > 0;\n", 1);
}

TEST_CASE("refine: a program that cannot start is not safe") {
  Program program = tests::compileConc("thread main { assert false; }\n").program;
  program.initial = program.pool->boolean(false);
  const RefineResult result = verify(program, Algorithm::SafetyFirst);
  CHECK(result.verdict.answer == Answer::Unknown);
  CHECK(result.verdict.reason == "no initial state satisfies the initial values and conditions");
}

TEST_CASE("refine: a proof that is damaged is not accepted") {
  const Program program = tests::compileConc(figure1).program;
  const RefineResult result = verify(program, Algorithm::SafetyFirst);
  REQUIRE(result.proof.size() == 2);
  const compose::petri::PetriProgram net = compose::petri::petrify(program, {2});
  RefineOptions options;
  Budget budget(options);
  auto defect = [&](const InvariantDomain &domain) {
    return defectOf(domain, program, net, budget).value_or("accepted");
  };
  for (const InvariantDomain &domain : result.proof) {
    CHECK(defect(domain) == "accepted");
    InvariantDomain without = domain;
    without.components.clear();
    CHECK(defect(without) == "a bad place is marked");
    InvariantDomain bold = domain;
    bold.components[0].laws[0] = {program.pool->boolean(false)};
    CHECK(defect(bold) == "the start does not imply a component's first law");
    InvariantDomain blocked = domain;
    for (compose::petri::TransitionId id = 0; id < net.transitions.size(); ++id)
      blocked.components[0].post[{0, id}] = std::nullopt;
    CHECK(defect(blocked) == "a transition said to be impossible is possible");
    InvariantDomain other = domain;
    other.limit = 3;
    CHECK(defect(other) == "the proof is about another net");
  }
}
