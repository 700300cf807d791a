// SPDX-License-Identifier: Apache-2.0
#include "compose/portfolio/Portfolio.h"

#include "compose/Watch.h"
#include "compose/portfolio/Looks.h"
#include "logic/Error.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <thread>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::portfolio;
using namespace understudy::tests;
using namespace std::string_literals;

namespace {

const std::string twoWorkers = "global mutex m; global int x = 0; global int y = 0;\n"
                               "thread main { while (*) { fork 0 w(); } }\n"
                               "thread w { lock m; x := x + 1; y := y + 1; assert x == y;\n"
                               "  unlock m; }\n";

Outcome decided(const Program &program, unsigned workers, uint64_t firstRound = 100'000) {
  TurnOptions turns;
  turns.workers = workers;
  turns.firstRound = firstRound;
  turns.patience = std::chrono::milliseconds(0);
  return decide(program, {}, {}, std::nullopt, turns);
}

std::string summary(const Outcome &outcome) {
  const Verdict &verdict = outcome.verdict;
  std::string text = word(verdict.answer);
  if (verdict.engine) {
    text += " " + word(*verdict.engine);
    for (const NamedCount &count : engineOf(*verdict.engine).counts(verdict.statistics))
      text += " " + count.key + " " + std::to_string(count.count);
  }
  return text + (verdict.trace ? " " + std::to_string(verdict.trace->steps.size()) + " steps" : "");
}

} // namespace

TEST_CASE("portfolio: every engine for any program has a row of its own") {
  std::set<std::string> words;
  for (const Engine &engine : engines()) {
    CHECK(words.insert(word(engine.name)).second);
    CHECK(&engineOf(engine.name) == &engine);
    CHECK(!engine.help.empty());
    CHECK(!engine.withoutEvidence.empty());
    std::set<std::string> keys;
    for (const NamedCount &count : engine.counts({}))
      CHECK(keys.insert(count.key).second);
    CHECK(!keys.empty());
  }
  CHECK(words == std::set<std::string>{"explicit", "count", "refine", "cover"});
  CHECK_THROWS_AS(engineOf(EngineName::Sequential), std::logic_error);
}

TEST_CASE("portfolio: an engine refuses what it cannot honour") {
  const specs::Compiled compiled = compileConc("global int x = 0;\nthread main { x := 1; }\n");
  Question question;
  question.deadlock = Question::Deadlock::Check;
  for (EngineName name : {EngineName::Count, EngineName::Refine, EngineName::Cover})
    CHECK_THROWS_AS(decide(compiled.program, question, {}, name), logic::Error);
  EngineLimits limits;
  limits.maxWidth = 2;
  CHECK_THROWS_AS(decide(compiled.program, {}, limits, EngineName::Explicit), logic::Error);
  CHECK(decide(compiled.program, {}, limits, EngineName::Refine).verdict.answer == Answer::Safe);
}

TEST_CASE("portfolio: the answer is the same with one worker and with several") {
  for (const std::string &text :
       {twoWorkers, "global int x = 0;\nthread main { while (*) { x := x + 1; assert x > 0; } }\n"s,
        "global int x = 0;\nthread main { fork 0 w(); assert x == 0; }\nthread w { x := 1; }\n"s}) {
    INFO(text);
    const specs::Compiled compiled = compileConc(text);
    const std::string one = summary(decided(compiled.program, 1));
    CHECK(one.find("unknown") == std::string::npos);
    CHECK(summary(decided(compiled.program, 2)) == one);
    CHECK(summary(decided(compiled.program, 4)) == one);
    // More rounds may lead to another engine, and never to another answer.
    const std::string many = summary(decided(compiled.program, 1, 500));
    CHECK(many.substr(0, many.find(' ')) == one.substr(0, one.find(' ')));
    CHECK(summary(decided(compiled.program, 2, 500)) == many);
  }
}

TEST_CASE("portfolio: evidence comes with an answer that was asked for it") {
  const specs::Compiled compiled = compileConc(twoWorkers);
  Question question;
  question.evidence = Question::Evidence::Wanted;
  const Outcome outcome = decide(compiled.program, question, {}, std::nullopt);
  CHECK(outcome.verdict.answer == Answer::Safe);
  CHECK(outcome.evidence.has_value());
}

TEST_CASE("portfolio: a stop ends every engine in every phase") {
  const specs::Compiled compiled = compileContract(
      "system s { shared int x = 0;\n"
      " thread A { initial S { -> T : x' == x + 1; } state T { assert x <= 1; -> D; } final D; }\n"
      " run A * 65537; }\n");
  std::stop_source source;
  source.request_stop();
  EngineLimits limits;
  limits.stop = source.get_token();
  for (const Engine &engine : engines()) {
    INFO(word(engine.name));
    CHECK(engine.run(compiled.program, {}, limits).verdict.answer == Answer::Unknown);
  }
  CHECK(decide(compiled.program, {}, limits, std::nullopt).verdict.answer == Answer::Unknown);
}

TEST_CASE("portfolio: without an answer every engine says why") {
  const specs::Compiled compiled =
      compileConc("global int x = 0;\n"
                  "thread t { local int y = 0; y := x; x := y + 1; assert x > 0; }\n"
                  "run t*;\n");
  EngineLimits limits;
  limits.maxStates = 1000;
  const Outcome outcome = decide(compiled.program, {}, limits, std::nullopt);
  REQUIRE(outcome.verdict.answer == Answer::Unknown);
  CHECK(!outcome.verdict.engine);
  CHECK(outcome.verdict.reason ==
        "no engine found an answer; try a fixed number of threads with --threads t=N");
  REQUIRE(outcome.attempts.size() == 2);
  CHECK(outcome.attempts[0].engine == EngineName::Count);
  CHECK(outcome.attempts[1].engine == EngineName::Cover);
  for (const Attempt &attempt : outcome.attempts)
    CHECK(!attempt.reason.empty());
}

TEST_CASE("portfolio: every engine takes numbers of threads that are set") {
  // Without bounds on the data the explicit engine finds no end.
  const std::string text = "global int x = 0;\nglobal int y = 0;\n"
                           "thread t { while (*) { atomic { x := x + 1; y := y + 1; } }\n"
                           "  atomic { assert x == y; } }\nrun t*;\n";
  const specs::Compiled compiled = compileConc(text);
  Question question;
  question.counts[*compiled.program.templateNamed("t")] = 2;
  EngineLimits limits;
  limits.maxStates = 100'000;
  const Outcome outcome = decide(compiled.program, question, limits, std::nullopt);
  CHECK(outcome.verdict.answer == Answer::Safe);
  CHECK(outcome.verdict.engine != EngineName::Explicit);
  CHECK(outcome.verdict.scope == "for 2 or fewer t threads");
  CHECK(decide(compiled.program, question, limits, EngineName::Count).verdict.answer ==
        Answer::Safe);
}

TEST_CASE("portfolio: what is found with numbers that are set happens in the program itself") {
  const specs::Compiled compiled =
      compileConc("global int x = 0;\nthread t { x := x + 1; assert x < 3; }\nrun t*;\n");
  for (uint32_t number : {0U, 2U, 3U})
    for (EngineName name : {EngineName::Explicit, EngineName::Count, EngineName::Refine}) {
      INFO(word(name) << " " << number);
      Question question;
      question.counts[*compiled.program.templateNamed("t")] = number;
      const Outcome outcome = decide(compiled.program, question, {}, name);
      CHECK(outcome.verdict.answer == (number < 3 ? Answer::Safe : Answer::Unsafe));
      if (number < 3)
        CHECK(outcome.verdict.scope ==
              (number == 0 ? "for no t threads" : "for 2 or fewer t threads"));
      else
        CHECK(!replay(compiled.program, outcome.verdict.trace.value()));
    }
}

TEST_CASE("looks: threads of any number, forks") {
  const specs::Compiled open = compileContract(
      "system s { shared int x = 0; thread A { initial S { -> S : x' == x + 1; } }\n"
      " thread B { initial S { -> S : x' == x; } }\n run A*, B * 2; }\n");
  CHECK(openThreads(open.program) == std::vector<std::string>{"A"});
  CHECK(!hasForks(open.program));
  const specs::Compiled looping = compileConc(twoWorkers);
  CHECK(openThreads(looping.program).empty());
  CHECK(hasForks(looping.program));
  CHECK(widthOfStart(looping.program) == std::nullopt);
  CHECK(widthOfStart(open.program) == std::nullopt);
  const specs::Compiled fixed =
      compileConc("thread a { skip; }\nthread b { skip; }\nrun a, b * 3;\n");
  CHECK(widthOfStart(fixed.program) == 3);
  const specs::Compiled once =
      compileConc("global int x = 0;\nthread main { fork 0 w(); }\nthread w { x := 1; }\n");
  CHECK(hasForks(once.program));
}

TEST_CASE("watch: the limit that is exceeded is named") {
  Watch memory(0, 1 << 20);
  while (!memory.token().stop_requested())
    std::this_thread::yield();
  CHECK(memory.exceeded() == "memory limit of 1 MB");
  Watch time(0.01, 0);
  while (!time.token().stop_requested())
    std::this_thread::yield();
  CHECK(time.exceeded() == "time limit of 0.01 s");
}

TEST_CASE("watch: a stop from outside is no limit") {
  std::stop_source source;
  const Watch watch(0, 0, source.get_token());
  CHECK(!watch.token().stop_requested());
  source.request_stop();
  CHECK(watch.token().stop_requested());
  CHECK(watch.exceeded() == std::nullopt);
}
