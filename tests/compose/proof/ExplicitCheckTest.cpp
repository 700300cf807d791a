// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/ExplicitCheck.h"

#include "compose/exploration/Explicit.h"
#include "logic/Error.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::exploration;
using namespace understudy::compose::proof;

namespace {

ExplicitEvidence reached(const Program &program, const ThreadCounts &counts = {}) {
  ExplicitEvidence evidence;
  ExplicitOptions options;
  options.counts = counts;
  options.reached = [&](ReachedStates states) { evidence = std::move(states); };
  REQUIRE(verifyExplicit(program, options).answer == Answer::Safe);
  return evidence;
}

std::string fault(const Program &program, const ExplicitEvidence &evidence,
                  const ThreadCounts &counts = {}, DeadlockClaim deadlock = DeadlockClaim::None) {
  return faultOfStates(program, evidence, counts, deadlock).value_or("none");
}

Program locked() {
  return tests::compileConc("global int 0..3 x = 0;\n"
                            "global mutex m;\n"
                            "thread T { lock m; x := x + 1; x := x - 1; unlock m; }\n"
                            "run T * 2;\n"
                            "invariant x <= 1;\n")
      .program;
}

} // namespace

TEST_CASE("the reachable states are a proof, and none without one of them") {
  Program program = locked();
  ExplicitEvidence all = reached(program);
  REQUIRE(all.states.size() > 5);
  CHECK(fault(program, all) == "none");
  CHECK(fault(program, all, {}, DeadlockClaim::Free) == "none");
  for (size_t i = 0; i < all.states.size(); ++i) {
    ExplicitEvidence fewer = all;
    fewer.states.erase(fewer.states.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(fault(program, fewer) != "none");
  }
  CHECK(fault(program, {}).find("an initial state is not listed: x = 0") == 0);
}

TEST_CASE("states that go wrong are no proof") {
  Program program = locked();
  ExplicitEvidence all = reached(program);
  all.states.front().globals[0] = 3;
  CHECK(fault(program, all).find("an initial state is not listed") == 0);
  all = reached(program);
  all.states.push_back(all.states.front());
  all.states.back().globals[0] = 2;
  CHECK(fault(program, all).find("is violated in a listed state: x = 2") != std::string::npos);
}

TEST_CASE("states of another program are refused") {
  Program program = locked();
  ExplicitEvidence all = reached(program);
  ExplicitEvidence wrong = all;
  wrong.states[1].threads[0].location = 1000;
  CHECK(fault(program, wrong) == "state 2 is not a state of the program");
  wrong = all;
  wrong.states[0].globals.pop_back();
  CHECK(fault(program, wrong) == "state 1 is not a state of the program");
  wrong = all;
  wrong.states[2].threads[0].thread = 9;
  CHECK(fault(program, wrong) == "state 3 is not a state of the program");
}

TEST_CASE("a list of states is about a number of threads") {
  Program program = tests::compileContract("system s {\n"
                                           "  shared bool b = false;\n"
                                           "  thread T { initial A { -> B : b'; } final B; }\n"
                                           "  run T*;\n"
                                           "}\n")
                        .program;
  ThreadCounts two{{0, 2}};
  ExplicitEvidence states = reached(program, two);
  CHECK(fault(program, states, two) == "none");
  CHECK(fault(program, states, {{0, 3}}).find("an initial state is not listed") == 0);
  CHECK(fault(program, states) == "any number of T threads are started, but a list of states "
                                  "covers only a given number");
  CHECK(scopeText(program, two) == "for 2 or fewer T threads");
  CHECK(scopeText(program, {}) == "for any number of T threads");
  CHECK(scopeText(locked(), {}).empty());
}

TEST_CASE("a deadlock is found among the states") {
  Program program = tests::compileConc("global mutex m;\nglobal mutex n;\n"
                                       "thread A { lock m; lock n; unlock n; unlock m; }\n"
                                       "thread B { lock n; lock m; unlock m; unlock n; }\n"
                                       "run A, B;\n")
                        .program;
  ExplicitEvidence states = reached(program);
  CHECK(fault(program, states) == "none");
  CHECK(fault(program, states, {}, DeadlockClaim::Free)
            .find("no thread can move in a listed state") == 0);
}
