// SPDX-License-Identifier: Apache-2.0
#include "compose/refine/Beside.h"

#include "compose/Interpreter.h"
#include "compose/ProgramCopy.h"
#include "tests/compose/petri/Figure1.h"
#include "tests/compose/refine/Riddle.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <thread>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::refine;
using std::chrono::milliseconds;
using namespace understudy::tests;

namespace {

/// With one thread w, nobody knows; with two, n is 2.
const std::string wrongWithTwo = "global int n = 0;\n"
                                 "thread main { fork 0 w(); fork 0 w(); }\n"
                                 "thread w {\n" +
                                 unknowns +
                                 "  n := n + 1;\n"
                                 "  if (n == 2) { assert false; }\n"
                                 "  else { assume " +
                                 riddle + "; assert false; }\n}\n";

constexpr BesideOptions inThread{milliseconds(0), 2};
constexpr BesideOptions whenNeeded{milliseconds(3'600'000), 2};
constexpr BesideOptions oneCore{milliseconds(0), 1};

std::string summary(const RefineResult &result) {
  std::string text = word(result.verdict.answer) + " at " + std::to_string(result.limit);
  for (const RefineIteration &iteration : result.iterations)
    text += ", " + std::to_string(iteration.limit) + " " + word(iteration.specification) + " " +
            std::to_string(iteration.statistics.refinements) + " " +
            std::to_string(iteration.statistics.events);
  return text + " " + result.verdict.reason;
}

} // namespace

TEST_CASE("refine: a copy of a program says the same in a pool of its own") {
  specs::Compiled compiled = compileConc("enum Mode { off, on }\n"
                                         "global mutex m; global cond c; global int[3] a;\n"
                                         "global int n = 1; global Mode mode = off;\n"
                                         "thread main {\n"
                                         "  local int 0..2 i = 0; local int id = 0;\n"
                                         "  lock m; wait c with m; unlock m;\n"
                                         "  a[i] := n; id := fork w(n + 1); join id;\n"
                                         "}\n"
                                         "thread w(int p) { n := p; mode := on; signal c; }\n"
                                         "invariant n > 0;\n");
  specs::Compiled copied = compiled;
  copied.program = copyOf(compiled.program);
  const Program &copy = copied.program;
  checkWellFormed(copy);
  CHECK(copy.pool != compiled.program.pool);
  CHECK(&copy.initial.pool() == copy.pool.get());
  CHECK(&copy.invariants.front().formula.pool() == copy.pool.get());
  for (const Template &thread : copy.templates) {
    CHECK(edgesOf(copied, thread.name) == edgesOf(compiled, thread.name));
    for (const Edge &edge : thread.edges) {
      CHECK(&edge.relation.pool() == copy.pool.get());
      CHECK(std::is_sorted(edge.modified.begin(), edge.modified.end()));
    }
  }
}

TEST_CASE("refine: what algorithm 1 decides is the answer, whatever runs beside it") {
  for (const char *text : {figure1, "thread main { assert false; }\n"}) {
    const std::string expected = summary(verifyAlone(text, {}));
    for (const BesideOptions &beside : {inThread, whenNeeded, oneCore}) {
      const RefineResult result = verifyBeside(compileConc(text).program, {}, beside);
      CHECK(result.ending == Ending::Decided);
      CHECK(summary(result) == expected);
    }
  }
}

TEST_CASE("refine: the width is no reason to ask algorithm 3") {
  RefineOptions options;
  options.maxWidth = 2;
  const RefineResult result =
      verifyBeside(compileConc("thread main { while (true) { fork 0 w(); } }\n"
                               "thread w { skip; }\n")
                       .program,
                   options, inThread);
  CHECK(result.ending == Ending::Width);
  for (const RefineIteration &iteration : result.iterations)
    CHECK(iteration.specification != petri::Specification::Both);
}

TEST_CASE("refine: what algorithm 1 leaves open, algorithm 3 may decide") {
  const RefineResult alone = verifyAlone(wrongWithTwo, few());
  CHECK(alone.verdict.answer == Answer::Unknown);
  CHECK(alone.ending == Ending::Open);
  CHECK(alone.verdict.reason.starts_with(undecided));
  CHECK(alone.limit == 1);
  std::set<std::string> summaries;
  for (const BesideOptions &beside : {inThread, whenNeeded, oneCore}) {
    const Program program = compileConc(wrongWithTwo).program;
    const RefineResult result = verifyBeside(program, few(), beside);
    CHECK(result.ending == Ending::Decided);
    REQUIRE(result.verdict.answer == Answer::Unsafe);
    CHECK(result.verdict.reason.empty());
    CHECK(result.limit == 2);
    CHECK(result.iterations.front().specification == petri::Specification::Safety);
    CHECK(result.iterations.back().specification == petri::Specification::Both);
    CHECK(replay(program, *result.verdict.trace).value_or("replays") == "replays");
    summaries.insert(summary(result));
  }
  CHECK(summaries.size() == 1);
}

TEST_CASE("refine: a proof about a copy counts when it is one about the program") {
  const Program program = compileConc(figure1).program;
  RefineOptions options;
  options.algorithm = Algorithm::Together;
  const Program copy = copyOf(program);
  const RefineResult found = verifyRefine(copy, options);
  REQUIRE(found.proof.size() == 1);
  Budget budget(options);
  RefineResult carried = found;
  CHECK(confirm(program, carried, options, budget));
  CHECK(&carried.proof[0].components.at(0).laws.at(1).at(0).pool() == program.pool.get());
  RefineResult other = found;
  CHECK(!confirm(compileConc("global int c = 0, i = 5;\n" +
                             std::string(figure1).substr(std::string(figure1).find("thread")))
                     .program,
                 other, options, budget));
  RefineResult without = found;
  without.proof[0].components.clear();
  CHECK(!confirm(program, without, options, budget));
  RefineResult half = found;
  half.proof[0].specification = compose::petri::Specification::Bound;
  CHECK(!confirm(program, half, options, budget));
  RefineResult none = found;
  none.proof.clear();
  CHECK(!confirm(program, none, options, budget));
}

TEST_CASE("refine: progress is reported on the caller's thread") {
  RefineOptions options = few();
  const auto caller = std::this_thread::get_id();
  size_t reports = 0;
  size_t strange = 0;
  options.progress = [&](const std::string &, const Statistics &) {
    ++reports;
    strange += std::this_thread::get_id() != caller ? 1 : 0;
  };
  verifyBeside(compileConc(wrongWithTwo).program, options, inThread);
  CHECK(reports > 0);
  CHECK(strange == 0);
}

// Without the stop it would not end: its solver has no limit.
TEST_CASE("refine: algorithm 3 ends when it is not needed") {
  RefineOptions options;
  options.resources = 0;
  std::stop_source source;
  options.stop = source.get_token();
  options.algorithm = Algorithm::Together;
  const Program program = compileConc(riddleAlone).program;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(300));
    source.request_stop();
  });
  const RefineResult result = verifyRefine(program, options);
  CHECK(result.ending == Ending::Time);
  CHECK(result.verdict.answer == Answer::Unknown);
}
