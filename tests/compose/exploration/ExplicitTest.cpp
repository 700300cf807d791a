// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/Explicit.h"

#include "compose/proof/ExplicitCheck.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace understudy;
using compose::exploration::ExplicitOptions;

namespace {

/// Listeners fork a handler for each request, which forks a function.
compose::Program server(int listeners) {
  return tests::compileConc(
             "run listener * " + std::to_string(listeners) +
             ";\n"
             "thread listener {\n"
             "  local int h = 0;\n"
             "  while (true) { h := fork handler(); join h; h := 0; }\n"
             "}\n"
             "thread handler { local int f = 0; skip; f := fork function(); join f; }\n"
             "thread function { skip; }\n")
      .program;
}

struct Counted {
  uint64_t states = 0;
  compose::ReachedStates reached;
};

Counted count(const compose::Program &program, ExplicitOptions::Names names) {
  Counted result;
  ExplicitOptions options;
  options.names = names;
  options.reached = [&](compose::ReachedStates states) { result.reached = std::move(states); };
  compose::Verdict verdict = compose::exploration::verifyExplicit(program, options);
  REQUIRE(verdict.answer == compose::Answer::Safe);
  result.states = verdict.statistics.states;
  return result;
}

std::string fault(const compose::Program &program, const compose::ReachedStates &reached) {
  return compose::proof::faultOfStates(program, reached, {}, compose::proof::DeadlockClaim::None)
      .value_or("none");
}

} // namespace

TEST_CASE("states that differ only in thread ids are one") {
  using Names = ExplicitOptions::Names;
  const uint64_t kept[] = {17, 1274, 131390}, renamed[] = {17, 161, 1210, 7948, 47802},
                 cleared[] = {15, 92, 372, 1170, 3102};
  for (int k = 1; k <= 5; ++k) {
    const compose::Program program = server(k);
    if (k <= 3)
      CHECK(count(program, Names::Keep).states == kept[k - 1]);
    CHECK(count(program, Names::Rename).states == renamed[k - 1]);
    CHECK(count(program, Names::ClearAndRename).states == cleared[k - 1]);
  }
}

TEST_CASE("states with renamed ids are a proof, with the renamings") {
  const compose::Program program = server(3);
  for (auto names : {ExplicitOptions::Names::Rename, ExplicitOptions::Names::ClearAndRename}) {
    const compose::ReachedStates all = count(program, names).reached;
    CHECK(fault(program, all) == "none");
    REQUIRE_FALSE(all.renamed.empty());
    compose::ReachedStates wrong = all;
    wrong.renamed.clear();
    CHECK(fault(program, wrong).find("leads from a listed state to one that is not") !=
          std::string::npos);
    for (size_t i = 0; i < all.renamed.size(); i += 97) {
      wrong = all;
      wrong.renamed.erase(wrong.renamed.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK(fault(program, wrong) != "none");
      wrong = all;
      wrong.renamed[i].renaming.front().second = 0;
      std::sort(wrong.renamed.begin(), wrong.renamed.end());
      CHECK(fault(program, wrong) == "the id 0 is renamed, and the program compares ids with it");
    }
  }
}

TEST_CASE("variables are dead only where they are") {
  const compose::Program program = server(2);
  const compose::ReachedStates all = count(program, ExplicitOptions::Names::ClearAndRename).reached;
  REQUIRE_FALSE(all.dead.empty());
  std::set<std::pair<uint32_t, uint32_t>> dead;
  for (const compose::DeadLocal &one : all.dead)
    dead.emplace(one.thread, one.location);
  for (uint32_t thread = 0; thread < 2; ++thread)
    for (uint32_t at = 0; at < program.templates[thread].locations.size(); ++at) {
      if (dead.contains({thread, at}))
        continue;
      compose::ReachedStates wrong = all;
      wrong.dead.push_back({thread, at, 0});
      CHECK(fault(program, wrong).find("is not dead in") != std::string::npos);
    }
  compose::ReachedStates wrong = all;
  wrong.dead.push_back({9, 0, 0});
  CHECK(fault(program, wrong) == "a variable that is said to be dead does not exist");
}

TEST_CASE("a counterexample keeps the names of threads") {
  const compose::Program program =
      tests::compileConc("global int first = 0; global int second = 0; global int 0..3 done = 0;\n"
                         "run main;\n"
                         "thread main {\n"
                         "  first := fork worker(); second := fork worker();\n"
                         "  join second; join first; first := fork worker();\n"
                         "  assume done == 3; assert first == second;\n"
                         "}\n"
                         "thread worker { atomic { done := done + 1; } }\n")
          .program;
  compose::Verdict verdict = compose::exploration::verifyExplicit(program, {});
  REQUIRE(verdict.answer == compose::Answer::Unsafe);
  std::map<uint32_t, int64_t> names;
  for (const compose::Step &step : verdict.trace->steps)
    for (const compose::Thread &thread : step.after.threads)
      if (thread.id)
        CHECK(names.try_emplace(thread.number, *thread.id).first->second == *thread.id);
  CHECK(names.size() == 3);
}

TEST_CASE("constants that ids are compared with keep their names") {
  const compose::Program program =
      tests::compileConc("global int x = 7;\nrun main;\n"
                         "thread main { local int h = 0; h := fork w(); x := h; join h;\n"
                         "  assert x != 7; }\n"
                         "thread w { skip; }\n")
          .program;
  compose::Verdict verdict = compose::exploration::verifyExplicit(program, {});
  REQUIRE(verdict.answer == compose::Answer::Unsafe);
  CHECK(verdict.trace->end().globals[0].number() == 7);
}

TEST_CASE("a program without a start state is not called safe") {
  compose::Program program;
  program.pool = std::make_shared<logic::TermPool>();
  logic::Variable x = program.pool->variable("", "x", program.pool->rangeSort(0, 3));
  program.globals = {x};
  program.initial = program.pool->less(program.pool->integer(3), program.pool->var(x));
  compose::Verdict verdict = compose::exploration::verifyExplicit(program, {});
  CHECK(verdict.answer == compose::Answer::Unknown);
  CHECK(verdict.reason == "no initial state satisfies the initial values and conditions");
}
